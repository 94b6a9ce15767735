import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { PayloadAlgorithm } from '../../src/keys/algorithms.ts'
import type { SigningKeySource } from '../../src/keys/signing-key.ts'
import type { VerificationKeySource } from '../../src/keys/verification-key.ts'
import { keyRegistrationSchema } from '../../src/receiver/partner-registration.ts'

const vectorSchema = z.object({
  id: z.string(),
  spec: z.string(),
  name: z.string(),
  input: z.strictObject({
    token: z.optional(z.string()),
    tokenParts: z.optional(z.array(z.object({ text: z.string(), times: z.int() }))),
    keys: z.array(z.string()),
    audience: z.string(),
    policy: z.enum(['strict', 'lenient']),
    issuer: z.optional(z.string()),
    now: z.iso.datetime(),
  }),
  expect: z.optional(z.strictObject({ algorithm: z.string(), payload: z.unknown(), person: z.unknown() })),
  error: z.optional(z.strictObject({ code: z.string(), paths: z.optional(z.array(z.string())) })),
})

const fileSchema = z.object({
  keys: z.record(z.string(), z.record(z.string(), z.unknown())),
  vectors: z.array(vectorSchema),
})

const file = fileSchema.parse(
  JSON.parse(
    readFileSync(
      new URL('../../../../conformance/vectors/payload-verification.json', import.meta.url),
      'utf8',
    ),
  ),
)

export type Vector = z.output<typeof vectorSchema>

export const vectors: readonly Vector[] = file.vectors

export function vectorToken({ input }: Vector): string {
  return input.token ?? (input.tokenParts ?? []).map(({ text, times }) => text.repeat(times)).join('')
}

/** The partner's registration of a key of the vectors. */
export function registeredKey(name: string): VerificationKeySource {
  const { privatePem: _private, ...key } = file.keys[name] ?? {}
  return keyRegistrationSchema.parse(key)
}

/** The signing source of a key of the vectors. */
export function signingKey(name: string): SigningKeySource {
  const { kid, privatePem, secret, jwk } = z
    .looseObject({
      kid: z.optional(z.string()),
      jwk: z.optional(z.looseObject({ kid: z.string() })),
      privatePem: z.optional(z.string()),
      secret: z.optional(z.string()),
    })
    .parse(file.keys[name])
  const named = { kid: kid ?? jwk?.kid }
  return secret === undefined
    ? { kind: 'pkcs8', pem: privatePem ?? '', ...named }
    : { kind: 'secret', secret, ...named }
}

/** Text of a key of the vectors, such as `pem` or `privatePem`. */
export function keyText(name: string, member: string): string {
  return z.string().parse(file.keys[name]?.[member])
}

/** Name of a key of the vectors that signs with an algorithm. */
export function nameOfKeyFor(algorithm: PayloadAlgorithm): string {
  const names = { ES256: 'p256', ES384: 'p384', ES512: 'p521', EdDSA: 'ed25519' } as const
  if (algorithm in names) return names[algorithm as keyof typeof names]
  return algorithm.startsWith('HS') ? 'longSecret' : 'rsa'
}
