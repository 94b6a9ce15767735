import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SigningKeySource } from '../../src/keys/signing-key.ts'
import type { VerificationKeySource } from '../../src/keys/verification-key.ts'
import { keyRegistrationSchema } from '../../src/receiver/partner-registration.ts'

const vectorSchema = z.object({
  id: z.string(),
  spec: z.string(),
  name: z.string(),
  input: z.strictObject({
    token: z.string().optional(),
    tokenParts: z.array(z.object({ text: z.string(), times: z.int() })).optional(),
    keys: z.array(z.string()),
    audience: z.string(),
    policy: z.enum(['strict', 'lenient']),
    issuer: z.string().optional(),
    now: z.iso.datetime(),
  }),
  expect: z.strictObject({ algorithm: z.string(), payload: z.unknown(), person: z.unknown() }).optional(),
  error: z.strictObject({ code: z.string(), paths: z.array(z.string()).optional() }).optional(),
})

const fileSchema = z.object({
  keys: z.record(z.string(), z.record(z.string(), z.unknown())),
  vectors: z.array(vectorSchema),
})

const file = fileSchema.parse(
  JSON.parse(
    readFileSync(new URL('../../../../protocol-vectors/payload-verification.json', import.meta.url), 'utf8'),
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
      kid: z.string().optional(),
      jwk: z.looseObject({ kid: z.string() }).optional(),
      privatePem: z.string().optional(),
      secret: z.string().optional(),
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
