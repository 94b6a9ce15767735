/** One vector before it is signed. */
export interface VectorCase {
  readonly id: string
  readonly spec: string
  readonly name: string
  /** Name of the key that signs; its algorithm is `alg`. Left out: `token` or `tokenParts` is given as it is. */
  readonly sign?: { readonly key: string; readonly alg: string; readonly header?: Record<string, unknown> }
  readonly claims?: Record<string, unknown>
  /** Claims as JSON text, where an object cannot say it. */
  readonly claimsText?: string
  readonly header?: Record<string, unknown>
  /** In place of what `sign` makes; `shortened` is that of `sign` without its first byte, which is 0. */
  readonly signature?: 'none' | 'foreign' | 'hmac-with-public-key' | 'shortened'
  readonly token?: string
  readonly tokenParts?: readonly { readonly text: string; readonly times: number }[]
  /** Names of the registered keys. Default: the one that signs. */
  readonly keys?: readonly string[]
  readonly policy?: 'strict' | 'lenient'
  readonly issuer?: string
  readonly now?: string
  readonly error?: { readonly code: string; readonly paths?: readonly string[] }
}

export const audience = 'https://sso.example/partner/payload'
export const defaultNow = '2026-06-01T12:00:00Z'
export const iat = Date.parse(defaultNow) / 1000

export const contact = {
  id: '01018012345',
  birthdate: '1980-01-01',
  ssn: '01018012345',
  gender: 'male',
  firstname: 'Ola',
  middlename: '',
  lastname: 'Nordmann',
  mobile: '+47 900 00 000',
  email: 'ola@example.org',
  diagnosis: 'L86',
}

export const claims = {
  organizationId: 'org-1',
  organizationName: 'Clinic One',
  employeeId: 'emp-7',
  employeeUsername: 'kari',
  employeeFirstname: 'Kari',
  employeeLastname: 'Hansen',
  employeeEmail: 'kari@example.org',
  contact,
}

export const times = { iat, exp: iat + 60 }

/** Claims with everything that the strict policy asks for. */
export const full = {
  ...claims,
  iss: 'https://partner.example',
  aud: audience,
  ...times,
  jti: 'vector-0000000000000001',
}

/** {@link full} without some of its claims. */
export function without(...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(full).filter(([name]) => !names.includes(name)))
}

export const es256 = { key: 'p256', alg: 'ES256' }
