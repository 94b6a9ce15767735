import { importVerificationKey, signPayload, verifyPayload } from '@service-link/jwt-payload'
import type { PayloadClaims } from '@service-link/protocol-core/person'
import { createVerifier } from 'fast-jwt'
import { jwtVerify } from 'jose'
import { measureInTurns } from '../measure/calls.ts'
import { makeKeys } from '../measure/keys.ts'
import type { MeasuredPath, Row } from '../report.ts'

export const audience = 'https://sso.example/partner/payload'

export const issuer = 'https://partner.example'

/** Every claim of specification 2.1. */
const samplePayload: PayloadClaims = {
  organizationId: '4d3a3f8e-6f0c-4f6c-9d3a-2b8a4f1c7e01',
  organizationName: 'Fjordklinikken',
  employeeId: '0b7f5c1e-9a52-4c44-8a53-0e9a7c2d1f02',
  employeeUsername: 'ada',
  employeeFirstname: 'Ada',
  employeeLastname: 'Lovelace',
  employeeEmail: 'ada@clinic.example',
  contact: {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    birthdate: '1980-04-03',
    ssn: '03048012345',
    gender: 'male',
    firstname: 'Søren',
    middlename: '',
    lastname: 'van Dyk',
    mobile: '+4740000000',
    email: 'soren@example.com',
    diagnosis: 'M54.5',
  },
}

type Algorithm = Parameters<typeof makeKeys>[0]

/** Signs the sample payload with a new key. The token is valid for five minutes. */
export async function signToken(algorithm: Algorithm) {
  const { key, ...keys } = await makeKeys(algorithm)
  return {
    ...keys,
    token: await signPayload(samplePayload, key, { audience, issuer, expiresInSeconds: 300 }),
  }
}

export const verifyPayloadPath: MeasuredPath = {
  name: 'verify',
  title: 'Partner link: verify a payload',
  async measure() {
    return { rows: [...(await measureAlgorithm('ES256', 1.05)), ...(await measureAlgorithm('RS256', 1.15))] }
  },
}

async function measureAlgorithm(algorithm: Algorithm, mostByFastJwt: number): Promise<Row[]> {
  const { token, publicKey, publicJwk } = await signToken(algorithm)
  const keys = await importVerificationKey({ kind: 'jwk', jwk: publicJwk, kid: 'bench' })
  const fastJwt = createVerifier({
    key: publicKey.export({ type: 'spki', format: 'pem' }),
    algorithms: [algorithm],
    allowedAud: audience,
    allowedIss: issuer,
    cache: false,
  })
  const micros = await measureInTurns({
    fastJwt: () => fastJwt(token),
    jose: () => jwtVerify(token, publicKey, { algorithms: [algorithm], audience, issuer }),
    ours: () => verifyPayload(token, { keys, audience, issuer }),
  })
  const row = (of: string, value: number, atMost: number): Row => ({
    name: `verifyPayload ${algorithm}`,
    unit: 'µs',
    beside: { of, value },
    ours: micros.ours,
    goal: { on: 'ratio', atMost },
  })
  return [row('fast-jwt', micros.fastJwt, mostByFastJwt), row('jose', micros.jose, 0.5)]
}
