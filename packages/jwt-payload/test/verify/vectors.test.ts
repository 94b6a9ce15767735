import { claimsFromPayload, isServiceLinkError } from '@service-link/protocol-core'
import { registeredKey, type Vector, vectors, vectorToken } from '@service-link/test-kit/payload-vectors'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { refusalStatus } from '../../src/index.ts'

type Package = typeof import('../../src/index.ts')

// Files of one worker share their modules: those that follow load Node's way again.
afterAll(() => {
  vi.resetModules()
})

describe.each(['Node', 'jose'] as const)('conformance/vectors/payload-verification.json by %s', by => {
  let loaded: Package
  beforeAll(async () => {
    // Without Node's name the package takes the way of every other runtime.
    if (by === 'jose') vi.stubGlobal('navigator', undefined)
    vi.resetModules()
    loaded = await import('../../src/index.ts')
    vi.unstubAllGlobals()
  })

  test.each(vectors.map(vector => [`${vector.id}: ${vector.name}`, vector] as const))(
    '%s',
    async (_name, vector) => {
      if (vector.error) {
        const error = await failureOf(vector, loaded)
        expect(error.code).toBe(vector.error.code)
        if (vector.error.paths) {
          expect(error).toBeInstanceOf(loaded.PayloadShapeError)
          expect(error instanceof loaded.PayloadShapeError && error.issues.map(({ path }) => path)).toEqual(
            vector.error.paths,
          )
        }
        assertSilent(error, vector)
      } else {
        const { algorithm, payload, person } = await verify(vector, loaded)
        expect({ algorithm, payload: claimsFromPayload(payload), person }).toEqual(vector.expect)
      }
    },
  )

  test('this way verifies', async () => {
    const inNode = vi.spyOn(process.getBuiltinModule('node:crypto'), 'createVerify')
    const vector = vectors.find(({ expect: accepted }) => accepted?.algorithm === 'ES256')
    if (vector) await verify(vector, loaded)
    expect(inNode).toHaveBeenCalledTimes(by === 'Node' ? 1 : 0)
    inNode.mockRestore()
  })
})

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

async function verify(vector: Vector, { importVerificationKey, verifyPayload }: Package) {
  const { keys, audience, policy, issuer, ends, now } = vector.input
  const clock = () => new Date(now)
  const imported = await Promise.all(
    keys.map(name => importVerificationKey(registeredKey(name), { clock, validity: 'use' })),
  )
  return verifyPayload(vectorToken(vector), { keys: imported, audience, policy, issuer, ends, clock })
}

async function failureOf(vector: Vector, loaded: Package) {
  const outcome: unknown = await verify(vector, loaded).catch((error: unknown) => error)
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
