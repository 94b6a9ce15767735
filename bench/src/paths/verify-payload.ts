import { importVerificationKey, verifyPayload } from '@service-link/jwt-payload'
import { payloadSchema, personFromContact } from '@service-link/protocol-core'
import { jwtVerify } from 'jose'
import { measureInTurns } from '../measure/in-turns.ts'
import type { MeasuredPath, Row } from '../report/row.ts'
import { audience, issuer, samplePayload } from './sample-payload.ts'
import { type MeasuredAlgorithm, signToken } from './signed-token.ts'

/** A payload of the partner link: from the token to the person. */
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
    claims: () => personFromContact(payloadSchema.parse(samplePayload).contact),
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
