import { claimsFromPayload, isServiceLinkError } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { importVerificationKey, PayloadShapeError, refusalStatus, verifyPayload } from '../../src/index.ts'
import { registeredKey, type Vector, vectors, vectorToken } from '../support/vectors.ts'

describe('protocol-vectors/payload-verification.json', () => {
  test.each(vectors.map(vector => [`${vector.id}: ${vector.name}`, vector] as const))(
    '%s',
    async (_name, vector) => {
      if (vector.error) {
        const error = await failureOf(vector)
        expect(error.code).toBe(vector.error.code)
        if (vector.error.paths) {
          expect(error).toBeInstanceOf(PayloadShapeError)
          expect(error instanceof PayloadShapeError && error.issues.map(({ path }) => path)).toEqual(
            vector.error.paths,
          )
        }
        assertSilent(error, vector)
      } else {
        const { algorithm, payload, person } = await verify(vector)
        expect({ algorithm, payload: claimsFromPayload(payload), person }).toEqual(vector.expect)
      }
    },
  )

  test('every refusal of a token has a vector', () => {
    const notOfTokens = [
      'ERR_PAYLOAD_MISSING',
      'ERR_PAYLOAD_REPLAYED',
      'ERR_PARTNER_INACTIVE',
      'ERR_METHOD_NOT_ALLOWED',
      'ERR_NOT_NAVIGATED',
      'ERR_CROSS_ORIGIN',
      'ERR_LINK_GONE',
      'ERR_MEDIA_TYPE',
      'ERR_RATE_LIMITED',
      'ERR_UNAVAILABLE',
    ]
    const codes = new Set([...vectors.map(({ error }) => error?.code), ...notOfTokens])
    expect(Object.keys(refusalStatus).filter(code => !codes.has(code))).toEqual([])
  })
})

async function verify(vector: Vector) {
  const { keys, audience, policy, issuer, now } = vector.input
  const clock = () => new Date(now)
  const imported = await Promise.all(
    keys.map(name => importVerificationKey(registeredKey(name), { clock, validity: 'use' })),
  )
  return verifyPayload(vectorToken(vector), { keys: imported, audience, policy, issuer, clock })
}

async function failureOf(vector: Vector) {
  const outcome: unknown = await verify(vector).catch((error: unknown) => error)
  if (!isServiceLinkError(outcome)) throw outcome
  return outcome
}

/** No error repeats the token or a claim. */
function assertSilent(error: Error, vector: Vector): void {
  const text = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`
  for (const secret of ['Nordmann', '01018012345', 'emp-7', 'org-1', 'attacker.example', 'BEGIN'])
    expect(text).not.toContain(secret)
  for (const part of vectorToken(vector).split('.')) if (part.length > 8) expect(text).not.toContain(part)
}
