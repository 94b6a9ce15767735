import {
  importSigningKey,
  importVerificationKey,
  signPayload,
  verifyPayload,
} from '@service-link/jwt-payload'
import { type PayloadClaims, personFromContact, readPayload } from '@service-link/protocol-core/person'
import { exportJWK, type JWK, jwtVerify } from 'jose'
import { measureInTurns } from '../measure/calls.ts'
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

interface SignedToken {
  readonly token: string
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
}

const generation = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  },
} as const

type MeasuredAlgorithm = keyof typeof generation

/** Signs the sample payload with a new key. The token is valid for five minutes. */
export async function signToken(algorithm: MeasuredAlgorithm): Promise<SignedToken> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(generation[algorithm], true, [
    'sign',
    'verify',
  ])
  const key = await importSigningKey({
    kind: 'jwk',
    jwk: await exportJWK(privateKey),
    algorithm,
    kid: 'bench',
  })
  const token = await signPayload(samplePayload, key, { audience, issuer, expiresInSeconds: 300 })
  return { token, publicKey, publicJwk: await exportJWK(publicKey) }
}

export const verifyPayloadPath: MeasuredPath = {
  name: 'verify',
  title: 'Partner link: verify a payload',
  async measure() {
    return { rows: [...(await measureAlgorithm('ES256', 1.15)), ...(await measureAlgorithm('RS256', 1.25))] }
  },
}

const parameters = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
} as const

async function measureAlgorithm(algorithm: MeasuredAlgorithm, atMost: number): Promise<Row[]> {
  const { token, publicKey, publicJwk } = await signToken(algorithm)
  const keys = await importVerificationKey({ kind: 'jwk', jwk: publicJwk, kid: 'bench' })
  const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')))
  const signature = Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url')

  const micros = await measureInTurns({
    subtle: () => crypto.subtle.verify(parameters[algorithm], publicKey, signature, signed),
    jose: () => jwtVerify(token, publicKey, { audience, issuer, algorithms: [algorithm] }),
    ours: () => verifyPayload(token, { keys, audience, issuer }),
    claims: () => personFromContact(readPayload(samplePayload).payload.contact),
  })
  const floor = { of: 'subtle.verify', value: micros.subtle }
  return [
    {
      name: `verifyPayload ${algorithm}`,
      unit: 'µs',
      floor,
      peer: { of: 'jose', value: micros.jose },
      ours: micros.ours,
      ratio: micros.ours / micros.subtle,
      goal: { on: 'ratio', atMost },
    },
    {
      name: `  its claims check, ${algorithm}`,
      unit: 'µs',
      floor,
      ours: micros.claims,
      ratio: micros.claims / micros.subtle,
      goal: { on: 'ratio', atMost: 0.05 },
    },
  ]
}
