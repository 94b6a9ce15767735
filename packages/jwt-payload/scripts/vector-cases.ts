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
  readonly signature?: 'none' | 'foreign' | 'hmac-with-public-key'
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
const iat = Date.parse(defaultNow) / 1000

const contact = {
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

const times = { iat, exp: iat + 60 }
const full = {
  ...claims,
  iss: 'https://partner.example',
  aud: audience,
  ...times,
  jti: 'vector-0000000000000001',
}

function without(...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(full).filter(([name]) => !names.includes(name)))
}

const es256 = { key: 'p256', alg: 'ES256' }

const accepted: readonly VectorCase[] = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const).map(alg => ({
    id: `valid-${alg.toLowerCase()}`,
    spec: '5.1',
    name: `${alg} with a registered public key is accepted [5.1-asymmetric]`,
    sign: { key: 'rsa', alg },
    claims: full,
  })),
  ...(
    [
      ['p256', 'ES256'],
      ['p384', 'ES384'],
      ['p521', 'ES512'],
      ['ed25519', 'EdDSA'],
    ] as const
  ).map(([key, alg]) => ({
    id: `valid-${alg.toLowerCase()}`,
    spec: '5.1',
    name: `${alg} with a registered public key is accepted [5.1-asymmetric]`,
    sign: { key, alg },
    claims: full,
  })),
  ...(['HS256', 'HS384', 'HS512'] as const).map(alg => ({
    id: `valid-${alg.toLowerCase()}`,
    spec: '5.1',
    name: `${alg} with a shared secret is accepted [5.1-symmetric]`,
    sign: { key: 'secret', alg },
    claims: full,
  })),
  {
    id: 'valid-certificate',
    spec: '5.1',
    name: 'a payload signed with a certificate is accepted [5.1-asymmetric]',
    sign: { key: 'certificate', alg: 'RS256' },
    claims: full,
  },
  {
    id: 'valid-minimal',
    spec: '2.1',
    name: 'organizationId, employeeId and contact.id are enough [2.1-claims]',
    sign: es256,
    claims: {
      ...without(...Object.keys(claims)),
      organizationId: 'o',
      employeeId: 'e',
      contact: { id: 'c' },
    },
  },
  {
    id: 'valid-unknown-claims',
    spec: '2.1',
    name: 'claims and contact members that nobody knows are kept [2.1-claims]',
    sign: es256,
    claims: {
      ...full,
      department: { name: 'North', floors: [1, 2] },
      contact: { ...contact, height: '180' },
    },
  },
  {
    id: 'valid-empty-optional',
    spec: '2.1',
    name: 'empty optional text is absent, also middlename [2.1-contact]',
    sign: es256,
    claims: { ...full, employeeEmail: '', contact: { ...contact, middlename: '', email: '' } },
  },
  {
    id: 'valid-other-gender',
    spec: '2.1',
    name: 'a gender that is neither female nor male is kept as sent [2.1-contact]',
    sign: es256,
    claims: { ...full, contact: { ...contact, gender: 'unknown' } },
  },
  {
    id: 'valid-scripts',
    spec: '2.1',
    name: 'text of any script is kept as sent',
    sign: es256,
    claims: { ...full, contact: { ...contact, firstname: 'Ḩåkoń 北京', lastname: 'Ångström 👩‍⚕️' } },
  },
  {
    id: 'valid-audience-list',
    spec: '5.1',
    name: 'one of several audiences is enough',
    sign: es256,
    claims: { ...full, aud: ['https://other.example', audience] },
  },
  {
    id: 'valid-no-kid',
    spec: '5.1',
    name: 'without kid the key of the right algorithm is found',
    sign: { ...es256, header: { kid: undefined } },
    claims: full,
    keys: ['rsa', 'p256', 'secret'],
  },
  {
    id: 'valid-second-of-two-keys',
    spec: '5.1',
    name: 'while keys are rotated either is accepted',
    sign: { key: 'rsa', alg: 'RS256', header: { kid: undefined } },
    claims: full,
    keys: ['otherRsa', 'rsa'],
  },
  {
    id: 'valid-within-tolerance-after',
    spec: '5.1',
    name: 'a payload is accepted 59 s after exp',
    sign: es256,
    claims: full,
    now: '2026-06-01T12:01:59Z',
  },
  {
    id: 'valid-within-tolerance-before',
    spec: '5.1',
    name: 'a payload is accepted 60 s before iat',
    sign: es256,
    claims: full,
    now: '2026-06-01T11:59:00Z',
  },
  {
    id: 'valid-span-300',
    spec: '5.1',
    name: 'exp may be 300 s later than iat',
    sign: es256,
    claims: { ...full, exp: iat + 300 },
  },
  {
    id: 'valid-lenient-bare',
    spec: '5.1',
    name: 'under the lenient policy exp, iat, aud and jti may be missing',
    sign: es256,
    claims,
    policy: 'lenient',
  },
  {
    id: 'valid-issuer',
    spec: '5.1',
    name: 'iss may be the registered issuer',
    sign: es256,
    claims: full,
    issuer: 'https://partner.example',
  },
  {
    id: 'valid-ignored-key-members',
    spec: '5.1',
    name: 'jwk, jku, x5u and x5c in the header change nothing for the registered key',
    sign: {
      ...es256,
      header: { jku: 'https://attacker.example/keys', x5u: 'https://attacker.example/c.pem' },
    },
    claims: full,
  },
]

const malformed = { code: 'ERR_PAYLOAD_MALFORMED' }
const refusedForm: readonly VectorCase[] = [
  {
    id: 'malformed-text',
    spec: '5.1',
    name: 'text that is not a JWT',
    token: 'hello',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-two-parts',
    spec: '5.1',
    name: 'two parts',
    token: 'e30.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-five-parts',
    spec: '5.1',
    name: 'an encrypted JWT',
    token: 'e30.e30.e30.e30.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-base64',
    spec: '5.1',
    name: 'a header that is not base64url',
    token: 'e3+/.e30.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-header-json',
    spec: '5.1',
    name: 'a header that is not JSON',
    token: 'aGVsbG8.e30.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-header-array',
    spec: '5.1',
    name: 'a header that is not an object',
    token: 'W10.e30.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-claims-array',
    spec: '5.1',
    name: 'claims that are not an object',
    sign: es256,
    claimsText: '[]',
    error: malformed,
  },
  {
    id: 'malformed-claims-utf8',
    spec: '5.1',
    name: 'claims that are not UTF-8',
    token: 'eyJhbGciOiJFUzI1NiJ9.eyJhIjoi_yJ9.e30',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-crit',
    spec: '5.1',
    name: 'an extension that crit asks for',
    sign: { ...es256, header: { crit: ['urn:example:extension'], 'urn:example:extension': true } },
    claims: full,
    error: malformed,
  },
  {
    id: 'malformed-crit-b64',
    spec: '5.1',
    name: 'a payload that is not encoded (b64)',
    header: { alg: 'ES256', kid: 'p256', crit: ['b64'], b64: false },
    claims: full,
    signature: 'foreign',
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'malformed-nested-bomb',
    spec: '5.1',
    name: 'claims nested 9,000 levels deep',
    // base64url of {"a": and of three brackets, opening and closing, and of a brace
    tokenParts: [
      { text: 'eyJhbGciOiJFUzI1NiJ9.eyJhIiA6', times: 1 },
      { text: 'W1tb', times: 3000 },
      { text: 'XV1d', times: 3000 },
      { text: 'fQ', times: 1 },
      { text: '.AAAA', times: 1 },
    ],
    keys: ['p256'],
    error: malformed,
  },
  {
    id: 'too-large',
    spec: '5.1',
    name: 'a token of more than 64 KiB',
    tokenParts: [
      { text: 'eyJhbGciOiJFUzI1NiJ9.', times: 1 },
      { text: 'QUFB', times: 16400 },
      { text: '.AAAA', times: 1 },
    ],
    keys: ['p256'],
    error: { code: 'ERR_PAYLOAD_TOO_LARGE' },
  },
]

const algorithmError = { code: 'ERR_PAYLOAD_ALGORITHM' }
const refusedKey: readonly VectorCase[] = [
  ...['none', 'None', 'NONE', 'nOnE'].map((alg, index) => ({
    id: `algorithm-none-${index + 1}`,
    spec: '5.1',
    name: `an unsigned token, alg ${alg} [5.1-signed]`,
    header: { alg, typ: 'JWT' },
    claims: full,
    signature: 'none' as const,
    keys: ['rsa', 'secret'],
    error: algorithmError,
  })),
  {
    id: 'algorithm-missing',
    spec: '5.1',
    name: 'a header without alg [5.1-signed]',
    header: { typ: 'JWT' },
    claims: full,
    signature: 'foreign',
    keys: ['rsa'],
    error: algorithmError,
  },
  {
    id: 'algorithm-lower-case',
    spec: '5.1',
    name: 'alg in another case',
    header: { alg: 'rs256' },
    claims: full,
    signature: 'foreign',
    keys: ['rsa'],
    error: algorithmError,
  },
  {
    id: 'algorithm-confusion',
    spec: '5.1',
    name: 'HS256 with the text of the registered public key as secret',
    header: { alg: 'HS256', kid: 'rsa' },
    claims: full,
    signature: 'hmac-with-public-key',
    keys: ['rsa'],
    error: algorithmError,
  },
  {
    id: 'algorithm-of-another-key',
    spec: '5.1',
    name: 'kid names an RSA key and alg is ES256, though another key has that algorithm',
    sign: { ...es256, header: { kid: 'rsa' } },
    claims: full,
    keys: ['rsa', 'p256'],
    error: algorithmError,
  },
  {
    id: 'algorithm-curve',
    spec: '5.1',
    name: 'ES384 for a key of the curve P-256',
    header: { alg: 'ES384' },
    claims: full,
    signature: 'foreign',
    keys: ['p256'],
    error: algorithmError,
  },
  {
    id: 'key-expired-certificate',
    spec: '5.1',
    name: 'a certificate that has expired',
    sign: { key: 'expiredCertificate', alg: 'RS256' },
    claims: full,
    error: { code: 'ERR_PAYLOAD_KEY' },
  },
  {
    id: 'key-future-certificate',
    spec: '5.1',
    name: 'a certificate that is not valid yet',
    sign: { key: 'futureCertificate', alg: 'RS256' },
    claims: full,
    error: { code: 'ERR_PAYLOAD_KEY' },
  },
  {
    id: 'key-none-registered',
    spec: '5.1',
    name: 'a partner without keys',
    sign: es256,
    claims: full,
    keys: [],
    error: { code: 'ERR_PAYLOAD_KEY' },
  },
  {
    id: 'key-other-issuer',
    spec: '5.1',
    name: 'an iss that is not the registered one',
    sign: es256,
    claims: full,
    issuer: 'https://other.example',
    error: { code: 'ERR_PAYLOAD_KEY' },
  },
]

const signatureError = { code: 'ERR_PAYLOAD_SIGNATURE' }
const refusedSignature: readonly VectorCase[] = [
  {
    id: 'signature-other-key',
    spec: '5.1',
    name: 'signed with a key that is not registered [5.1-signed]',
    sign: { key: 'otherRsa', alg: 'RS256' },
    claims: full,
    keys: ['rsa'],
    error: signatureError,
  },
  {
    id: 'signature-other-secret',
    spec: '5.1',
    name: 'signed with another secret [5.1-symmetric]',
    sign: { key: 'otherSecret', alg: 'HS256' },
    claims: full,
    keys: ['secret'],
    error: signatureError,
  },
  {
    id: 'signature-changed',
    spec: '5.1',
    name: 'claims changed after signing [5.1-signed]',
    header: { alg: 'ES256', kid: 'p256' },
    claims: full,
    signature: 'foreign',
    keys: ['p256'],
    error: signatureError,
  },
  {
    id: 'signature-empty',
    spec: '5.1',
    name: 'a signature that was cut off [5.1-signed]',
    header: { alg: 'ES256', kid: 'p256' },
    claims: full,
    signature: 'none',
    keys: ['p256'],
    error: signatureError,
  },
  {
    id: 'signature-embedded-jwk',
    spec: '5.1',
    name: 'a key in the header (jwk) is not obeyed',
    sign: { key: 'otherRsa', alg: 'RS256', header: { kid: undefined, jwk: 'of otherRsa' } },
    claims: full,
    keys: ['rsa'],
    error: signatureError,
  },
  {
    id: 'signature-embedded-x5c',
    spec: '5.1',
    name: 'a certificate in the header (x5c) is not obeyed',
    sign: { key: 'otherRsa', alg: 'RS256', header: { kid: undefined, x5c: 'of otherRsa' } },
    claims: full,
    keys: ['rsa'],
    error: signatureError,
  },
  {
    id: 'signature-jku',
    spec: '5.1',
    name: 'a key set that the header points to (jku) is not fetched',
    sign: { key: 'otherRsa', alg: 'RS256', header: { kid: 'x', jku: 'https://attacker.example/keys' } },
    claims: full,
    keys: ['rsa'],
    error: signatureError,
  },
]

const timesError = { code: 'ERR_PAYLOAD_TIMES' }
const refusedTimes: readonly VectorCase[] = [
  { id: 'times-no-exp', spec: '5.1', name: 'no exp', sign: es256, claims: without('exp'), error: timesError },
  { id: 'times-no-iat', spec: '5.1', name: 'no iat', sign: es256, claims: without('iat'), error: timesError },
  {
    id: 'times-span-301',
    spec: '5.1',
    name: 'exp 301 s later than iat',
    sign: es256,
    claims: { ...full, exp: iat + 301 },
    error: timesError,
  },
  {
    id: 'times-reversed',
    spec: '5.1',
    name: 'exp not later than iat',
    sign: es256,
    claims: { ...full, exp: iat },
    error: timesError,
  },
  {
    id: 'times-text',
    spec: '5.1',
    name: 'exp as text',
    sign: es256,
    claims: { ...full, exp: String(iat + 60) },
    error: timesError,
  },
  {
    id: 'times-text-lenient',
    spec: '5.1',
    name: 'exp as text under the lenient policy',
    sign: es256,
    claims: { ...claims, exp: String(iat + 60) },
    policy: 'lenient',
    error: timesError,
  },
  {
    id: 'times-milliseconds',
    spec: '5.1',
    name: 'times in milliseconds',
    sign: es256,
    claims: { ...full, iat: iat * 1000, exp: iat * 1000 + 60_000 },
    error: timesError,
  },
  {
    id: 'expired',
    spec: '5.1',
    name: 'exp 60 s ago',
    sign: es256,
    claims: full,
    now: '2026-06-01T12:02:00Z',
    error: { code: 'ERR_PAYLOAD_EXPIRED' },
  },
  {
    id: 'expired-lenient',
    spec: '5.1',
    name: 'exp an hour ago under the lenient policy',
    sign: es256,
    claims: full,
    policy: 'lenient',
    now: '2026-06-01T13:01:00Z',
    error: { code: 'ERR_PAYLOAD_EXPIRED' },
  },
  {
    id: 'future-iat',
    spec: '5.1',
    name: 'iat 61 s ahead',
    sign: es256,
    claims: full,
    now: '2026-06-01T11:58:59Z',
    error: { code: 'ERR_PAYLOAD_NOT_YET_VALID' },
  },
  {
    id: 'future-nbf',
    spec: '5.1',
    name: 'nbf 61 s ahead',
    sign: es256,
    claims: { ...full, nbf: iat + 61 },
    error: { code: 'ERR_PAYLOAD_NOT_YET_VALID' },
  },
]

const audienceError = { code: 'ERR_PAYLOAD_AUDIENCE' }
const shape = (...paths: readonly string[]) => ({ code: 'ERR_PAYLOAD_SHAPE', paths })
const refusedClaims: readonly VectorCase[] = [
  {
    id: 'audience-missing',
    spec: '5.1',
    name: 'no aud',
    sign: es256,
    claims: without('aud'),
    error: audienceError,
  },
  {
    id: 'audience-other',
    spec: '5.1',
    name: 'the address of another receiver',
    sign: es256,
    claims: { ...full, aud: 'https://sso.other.example/partner/payload' },
    error: audienceError,
  },
  {
    id: 'audience-prefix',
    spec: '5.1',
    name: 'an address that only begins alike',
    sign: es256,
    claims: { ...full, aud: `${audience}/` },
    error: audienceError,
  },
  {
    id: 'audience-other-lenient',
    spec: '5.1',
    name: 'another receiver under the lenient policy',
    sign: es256,
    claims: { ...claims, aud: ['https://sso.other.example'] },
    policy: 'lenient',
    error: audienceError,
  },
  {
    id: 'shape-no-jti',
    spec: '5.1',
    name: 'no jti',
    sign: es256,
    claims: without('jti'),
    error: shape('jti'),
  },
  {
    id: 'shape-jti-number',
    spec: '5.1',
    name: 'jti as a number',
    sign: es256,
    claims: { ...full, jti: 17 },
    error: shape('jti'),
  },
  {
    id: 'shape-missing',
    spec: '2.1',
    name: 'every missing claim is named [2.1-claims]',
    sign: es256,
    claims: { ...without('organizationId', 'employeeId'), contact: { firstname: 'Ola' } },
    error: shape('organizationId', 'employeeId', 'contact.id'),
  },
  {
    id: 'shape-no-contact',
    spec: '2.1',
    name: 'no contact [2.1-claims]',
    sign: es256,
    claims: without('contact'),
    error: shape('contact'),
  },
  {
    id: 'shape-number',
    spec: '2.1',
    name: 'an ID as a number: all values are strings [2.1-claims]',
    sign: es256,
    claims: { ...full, employeeId: 7 },
    error: shape('employeeId'),
  },
  {
    id: 'shape-empty-id',
    spec: '2.1',
    name: 'an ID that is white space [2.1-contact]',
    sign: es256,
    claims: { ...full, contact: { ...contact, id: ' ' } },
    error: shape('contact.id'),
  },
  {
    id: 'shape-birthdate-format',
    spec: '2.1',
    name: 'a birthdate in another format [2.1-contact]',
    sign: es256,
    claims: { ...full, contact: { ...contact, birthdate: '01.01.1980' } },
    error: shape('contact.birthdate'),
  },
  {
    id: 'shape-birthdate-day',
    spec: '2.1',
    name: 'a birthdate that does not exist [2.1-contact]',
    sign: es256,
    claims: { ...full, contact: { ...contact, birthdate: '1981-02-29' } },
    error: shape('contact.birthdate'),
  },
  {
    id: 'shape-text-length',
    spec: '2.1',
    name: 'a text of more than 4,096 characters',
    sign: es256,
    claims: { ...full, contact: { ...contact, firstname: 'a'.repeat(4097) } },
    error: shape('contact.firstname'),
  },
]

const keyImport = { code: 'ERR_KEY_IMPORT' }
const refusedRegistration: readonly VectorCase[] = [
  ['weakRsa', 'an RSA key of 1,024 bits'],
  ['shortSecret', 'a secret of 31 bytes'],
  ['secretInJwk', 'a JWK that is a secret'],
  ['pemAsSecret', 'a public key registered as secret'],
  ['privateKeyAsPublic', 'a private key registered as public'],
  ['privateJwk', 'a private JWK registered as public'],
].map(([key = '', what = '']) => ({
  id: `registration-${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
  spec: '5.1',
  name: `${what} is refused when it is registered`,
  token: 'e30.e30.e30',
  keys: [key],
  error: keyImport,
}))

export const vectorCases: readonly VectorCase[] = [
  ...accepted,
  ...refusedForm,
  ...refusedKey,
  ...refusedSignature,
  ...refusedTimes,
  ...refusedClaims,
  ...refusedRegistration,
]
