import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

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
    ends: z.optional(z.boolean()),
    now: z.iso.datetime(),
  }),
  expect: z.optional(
    z.strictObject({ algorithm: z.string(), payload: z.unknown(), person: z.optional(z.unknown()) }),
  ),
  error: z.optional(z.strictObject({ code: z.string(), paths: z.optional(z.array(z.string())) })),
})

const fileSchema = z.object({
  keys: z.record(z.string(), z.record(z.string(), z.unknown())),
  vectors: z.array(vectorSchema),
})

const file = fileSchema.parse(
  JSON.parse(
    readFileSync(new URL('../../../conformance/vectors/payload-verification.json', import.meta.url), 'utf8'),
  ),
)

export type Vector = z.output<typeof vectorSchema>

export const vectors: readonly Vector[] = file.vectors

export function vectorToken({ input }: Vector): string {
  return input.token ?? (input.tokenParts ?? []).map(({ text, times }) => text.repeat(times)).join('')
}

const named = { kid: z.optional(z.string()) }

const registeredKeySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['x509', 'spki']), pem: z.string(), ...named }),
  z.object({ kind: z.literal('jwk'), jwk: z.looseObject({}), ...named }),
  z.object({ kind: z.literal('secret'), secret: z.string(), ...named }),
])

/** The partner's registration of a key of the vectors. */
export function registeredKey(name: string): z.output<typeof registeredKeySchema> {
  return registeredKeySchema.parse(file.keys[name])
}

/** Address of the receiver in tests. */
export const url = 'https://sso.example/partner/payload'

/** Claims of a usual payload. */
export const payload = {
  organizationId: 'org-1',
  organizationName: 'Clinic One',
  employeeId: 'emp-7',
  employeeFirstname: 'Kari',
  contact: { id: '01018012345', firstname: 'Ola', lastname: 'Nordmann', birthdate: '1980-01-01' },
}

/** The signing source of a key of the vectors. */
export function signingKey(name: string) {
  const { kid, privatePem, secret, jwk } = z
    .looseObject({
      kid: z.optional(z.string()),
      jwk: z.optional(z.looseObject({ kid: z.string() })),
      privatePem: z.optional(z.string()),
      secret: z.optional(z.string()),
    })
    .parse(file.keys[name])
  const kids = { kid: kid ?? jwk?.kid }
  return secret === undefined
    ? { kind: 'pkcs8' as const, pem: privatePem ?? '', ...kids }
    : { kind: 'secret' as const, secret, ...kids }
}

/** Text of a key of the vectors, such as `pem` or `privatePem`. */
export function keyText(name: string, member: string): string {
  return z.string().parse(file.keys[name]?.[member])
}

/** Name of a key of the vectors that signs with an algorithm. */
export function nameOfKeyFor(algorithm: string): string {
  const names = { ES256: 'p256', ES384: 'p384', ES512: 'p521', EdDSA: 'ed25519' } as const
  if (algorithm in names) return names[algorithm as keyof typeof names]
  return algorithm.startsWith('HS') ? 'longSecret' : 'rsa'
}
