/** One vector before it is signed. */
export interface PayloadCase {
  readonly id: string
  /** Section of the specification. Default 5.1. */
  readonly spec?: string
  readonly name: string
  /** The key that signs, and its algorithm. Default ES256 with p256, where no token or header is given. */
  readonly sign?: { readonly key: string; readonly alg: string; readonly header?: Record<string, unknown> }
  /** Default: {@link full}. */
  readonly claims?: Record<string, unknown>
  /** Claims as JSON text that no object gives. */
  readonly claimsText?: string
  readonly header?: Record<string, unknown>
  /** Replaces the signature of `sign`. `shortened`: that signature without its first byte, which is 0. */
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

type Rest = Omit<PayloadCase, 'id' | 'name' | 'error'>

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

const claims = {
  organizationId: 'org-1',
  organizationName: 'Clinic One',
  employeeId: 'emp-7',
  employeeUsername: 'kari',
  employeeFirstname: 'Kari',
  employeeLastname: 'Hansen',
  employeeEmail: 'kari@example.org',
  contact,
}

/** Claims with everything that the strict policy asks for. */
export const full = {
  ...claims,
  iss: 'https://partner.example',
  aud: audience,
  iat,
  exp: iat + 60,
  jti: 'vector-0000000000000001',
}

const es256 = { key: 'p256', alg: 'ES256' }

/** Claims {@link full} with some changed; `undefined` leaves one out. */
const changed = (changes: Record<string, unknown>): Rest => ({ claims: { ...full, ...changes } })
const changedContact = (changes: Record<string, unknown>): Rest =>
  changed({ contact: { ...contact, ...changes } })
const lenient = (given: Record<string, unknown>): Rest => ({
  claims: { ...claims, ...given },
  policy: 'lenient',
})

const valid = (id: string, name: string, rest: Rest = {}): PayloadCase => ({
  id: `valid-${id}`,
  name,
  ...rest,
})
const refuse =
  (code: string) =>
  (id: string, name: string, rest: Rest = {}): PayloadCase => ({ id, name, ...rest, error: { code } })
const shape = (id: string, paths: string, name: string, rest: Rest): PayloadCase => ({
  id: `shape-${id}`,
  spec: '2.1',
  name,
  ...rest,
  error: { code: 'ERR_PAYLOAD_SHAPE', paths: paths.split(' ') },
})

/** A valid payload for each algorithm. */
const ofAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map(alg => ['rsa', alg]),
  ['p256', 'ES256'],
  ['p384', 'ES384'],
  ['p521', 'ES512'],
  ['ed25519', 'EdDSA'],
  ['secret', 'HS256'],
  ['longSecret', 'HS384'],
  ['longSecret', 'HS512'],
].map(([key = '', alg = '']) => {
  const [what, requirement] = alg.startsWith('HS')
    ? ['shared secret', '5.1-symmetric']
    : ['registered public key', '5.1-asymmetric']
  return valid(alg.toLowerCase(), `${alg} with a ${what} is accepted [${requirement}]`, {
    sign: { key, alg },
  })
})

const accepted: readonly PayloadCase[] = [
  ...ofAlgorithms,
  valid('certificate', 'a payload signed with a certificate is accepted [5.1-asymmetric]', {
    sign: { key: 'certificate', alg: 'RS256' },
  }),
  ...(
    [
      ['unnamedRsa', 'PS256', 'a public key (SPKI)'],
      ['unnamedCertificate', 'RS256', 'a certificate'],
      ['unnamedP256', 'ES256', 'a JWK of P-256'],
      ['unnamedEd25519', 'EdDSA', 'a JWK of Ed25519'],
    ] as const
  ).map(([key, alg, what]) =>
    valid(
      `thumbprint-${alg.toLowerCase()}`,
      `${what} registered without kid is named by its RFC 7638 thumbprint [5.1-asymmetric]`,
      { sign: { key, alg }, keys: ['otherRsa', 'secret', key] },
    ),
  ),
  valid(
    'thumbprint-beside-kid',
    'a key registered with a kid is also named by its RFC 7638 thumbprint [5.1-asymmetric]',
    { sign: { key: 'unnamedRsa', alg: 'RS256' }, keys: ['otherRsa', 'rsa'] },
  ),
  valid('secret-without-kid', 'a secret without kid has no name: the token carries none [5.1-symmetric]', {
    sign: { key: 'unnamedSecret', alg: 'HS256' },
    keys: ['rsa', 'otherSecret', 'unnamedSecret'],
  }),
  valid('minimal', 'organizationId, employeeId and contact.id are enough [2.1-claims]', {
    spec: '2.1',
    claims: {
      iss: full.iss,
      aud: audience,
      iat,
      exp: full.exp,
      jti: full.jti,
      organizationId: 'o',
      employeeId: 'e',
      contact: { id: 'c' },
    },
  }),
  valid('unknown-claims', 'unknown claims and contact members are kept [2.1-claims]', {
    spec: '2.1',
    claims: {
      ...full,
      department: { name: 'North', floors: [1, 2] },
      contact: { ...contact, height: '180' },
    },
  }),
  valid('empty-optional', 'empty optional text is absent, also middlename [2.1-contact]', {
    spec: '2.1',
    ...changed({ employeeEmail: '', contact: { ...contact, middlename: '', email: '' } }),
  }),
  valid('other-gender', 'a gender that is neither female nor male is kept as sent [2.1-contact]', {
    spec: '2.1',
    ...changedContact({ gender: 'unknown' }),
  }),
  valid('scripts', 'text of any script is kept as sent', {
    spec: '2.1',
    ...changedContact({ firstname: 'Ḩåkoń 北京', lastname: 'Ångström 👩‍⚕️' }),
  }),
  valid(
    'audience-list',
    'one of several audiences is enough',
    changed({ aud: ['https://other.example', audience] }),
  ),
  valid('no-kid', 'without kid the key of the right algorithm is found', {
    sign: { ...es256, header: { kid: undefined } },
    keys: ['rsa', 'p256', 'secret'],
  }),
  valid('second-of-two-keys', 'while keys are rotated either is accepted', {
    sign: { key: 'rsa', alg: 'RS256', header: { kid: undefined } },
    keys: ['otherRsa', 'rsa'],
  }),
  valid('within-tolerance-after', 'a payload is accepted 59 s after exp', { now: '2026-06-01T12:01:59Z' }),
  valid('within-tolerance-before', 'a payload is accepted 60 s before iat', {
    now: '2026-06-01T11:59:00Z',
  }),
  valid('span-300', 'exp may be 300 s later than iat', changed({ exp: iat + 300 })),
  valid('lenient-iat', 'under the lenient policy iat without exp is taken for a day', {
    ...lenient({ iat }),
    now: '2026-06-02T12:00:59Z',
  }),
  valid('lenient-bare', 'under the lenient policy exp, iat, aud and jti may be missing', lenient({})),
  valid('issuer', 'iss may be the registered issuer', { issuer: 'https://partner.example' }),
  valid('ignored-key-members', 'jwk, jku, x5u and x5c in the header change nothing for the registered key', {
    sign: {
      ...es256,
      header: { jku: 'https://attacker.example/keys', x5u: 'https://attacker.example/c.pem' },
    },
  }),
  valid('unknown-kid', 'with a kid that names no registered key the key of the right algorithm is found', {
    sign: { ...es256, header: { kid: 'of-yesterday' } },
    keys: ['rsa', 'p256'],
  }),
  valid('nbf-tolerance', 'a payload is accepted 60 s before nbf', changed({ nbf: iat + 60 })),
  valid('fractions', 'times may have a fraction of a second', changed({ iat: iat + 0.25, exp: iat + 60.75 })),
  valid('text-length', 'a text of 4,096 characters', {
    spec: '2.1',
    ...changedContact({ firstname: 'a'.repeat(4096) }),
  }),
  valid('white-space', 'white space around text does not count [2.1-contact]', {
    spec: '2.1',
    ...changedContact({ id: ' 01018012345 ', lastname: ' Nordmann\t' }),
  }),
  valid(
    'lenient-audience',
    'under the lenient policy aud may be there, and is this receiver then',
    lenient({ aud: audience }),
  ),
  valid('jti-length', 'a jti of 256 characters', changed({ jti: 'j'.repeat(256) })),
]

const malformed = refuse('ERR_PAYLOAD_MALFORMED')
const wrongSignature = refuse('ERR_PAYLOAD_SIGNATURE')
const text = (token: string): Rest => ({ token, keys: ['p256'] })

const refusedForms: readonly PayloadCase[] = [
  malformed('malformed-text', 'text that is not a JWT', text('hello')),
  malformed('malformed-two-parts', 'two parts', text('e30.e30')),
  malformed('malformed-five-parts', 'an encrypted JWT', text('e30.e30.e30.e30.e30')),
  malformed('malformed-base64', 'a header that is not base64url', text('e3+/.e30.e30')),
  malformed('malformed-header-json', 'a header that is not JSON', text('aGVsbG8.e30.e30')),
  malformed('malformed-header-array', 'a header that is not an object', text('W10.e30.e30')),
  malformed('malformed-claims-array', 'claims that are not an object', { claimsText: '[]' }),
  wrongSignature(
    'malformed-claims-utf8',
    'claims that are not UTF-8, which are not read before the signature fits',
    text('eyJhbGciOiJFUzI1NiJ9.eyJhIjoi_yJ9.e30'),
  ),
  malformed('malformed-crit', 'an extension that crit asks for', {
    sign: { ...es256, header: { crit: ['urn:example:extension'], 'urn:example:extension': true } },
  }),
  malformed('malformed-crit-b64', 'a payload that is not encoded (b64)', {
    header: { alg: 'ES256', kid: 'p256', crit: ['b64'], b64: false },
    signature: 'foreign',
    keys: ['p256'],
  }),
  wrongSignature(
    'malformed-nested-bomb',
    'claims nested 9,000 levels deep, which are not read before the signature fits',
    {
      // base64url of {"a": and of three brackets, opening and closing, and of a brace
      tokenParts: [
        { text: 'eyJhbGciOiJFUzI1NiJ9.eyJhIiA6', times: 1 },
        { text: 'W1tb', times: 3000 },
        { text: 'XV1d', times: 3000 },
        { text: 'fQ', times: 1 },
        { text: '.AAAA', times: 1 },
      ],
      keys: ['p256'],
    },
  ),
  refuse('ERR_PAYLOAD_TOO_LARGE')('too-large', 'a token of more than 64 KiB', {
    tokenParts: [
      { text: 'eyJhbGciOiJFUzI1NiJ9.', times: 1 },
      { text: 'QUFB', times: 16400 },
      { text: '.AAAA', times: 1 },
    ],
    keys: ['p256'],
  }),
  malformed('malformed-padding', 'base64url with padding', text('eyJhbGciOiJFUzI1NiJ9.e30=.AAAA')),
  malformed('malformed-white-space', 'white space inside the token', text('eyJhbGciOiJFUzI1NiJ9. e30.AAAA')),
  malformed('malformed-member-twice', 'a claim that is there twice: two readers could read two things', {
    claimsText: JSON.stringify(full).replace('{', '{"organizationId":"org-2",'),
  }),
  malformed('malformed-contact-member-twice', 'a member of the contact that is there twice', {
    claimsText: JSON.stringify(full).replace('"contact":{', '"contact":{"id":"02028012345",'),
  }),
  malformed('malformed-claims-null', 'claims that are null', { claimsText: 'null' }),
]

const wrongAlgorithm = refuse('ERR_PAYLOAD_ALGORITHM')
const wrongKey = refuse('ERR_PAYLOAD_KEY')
const foreign = (header: Record<string, unknown>, key: string): Rest => ({
  header,
  signature: 'foreign',
  keys: [key],
})

const refusedKeys: readonly PayloadCase[] = [
  ...['none', 'None', 'NONE', 'nOnE'].map((alg, index) =>
    wrongAlgorithm(`algorithm-none-${index + 1}`, `an unsigned token, alg ${alg} [5.1-signed]`, {
      header: { alg, typ: 'JWT' },
      signature: 'none',
      keys: ['rsa', 'secret'],
    }),
  ),
  wrongAlgorithm('algorithm-missing', 'a header without alg [5.1-signed]', foreign({ typ: 'JWT' }, 'rsa')),
  wrongAlgorithm('algorithm-lower-case', 'alg in another case', foreign({ alg: 'rs256' }, 'rsa')),
  wrongAlgorithm('algorithm-confusion', 'HS256 with the text of the registered public key as secret', {
    header: { alg: 'HS256', kid: 'rsa' },
    signature: 'hmac-with-public-key',
    keys: ['rsa'],
  }),
  wrongAlgorithm(
    'algorithm-longer-than-secret',
    'HS512 with a secret of 32 bytes, which is shorter than the digest [5.1-symmetric]',
    { sign: { key: 'secret', alg: 'HS512' } },
  ),
  wrongAlgorithm(
    'algorithm-of-another-key',
    'kid names an RSA key and alg is ES256, though another key has that algorithm',
    { sign: { ...es256, header: { kid: 'rsa' } }, keys: ['rsa', 'p256'] },
  ),
  wrongAlgorithm('algorithm-curve', 'ES384 for a key of the curve P-256', foreign({ alg: 'ES384' }, 'p256')),
  wrongKey('key-expired-certificate', 'a certificate that has expired', {
    sign: { key: 'expiredCertificate', alg: 'RS256' },
  }),
  wrongKey('key-future-certificate', 'a certificate that is not valid yet', {
    sign: { key: 'futureCertificate', alg: 'RS256' },
  }),
  wrongKey('key-none-registered', 'a partner without keys', { keys: [] }),
  wrongKey('key-other-issuer', 'an iss that is not the registered one', { issuer: 'https://other.example' }),
  wrongSignature('signature-other-key', 'signed with a key that is not registered [5.1-signed]', {
    sign: { key: 'otherRsa', alg: 'RS256' },
    keys: ['rsa'],
  }),
  wrongSignature('signature-other-secret', 'signed with another secret [5.1-symmetric]', {
    sign: { key: 'otherSecret', alg: 'HS256' },
    keys: ['secret'],
  }),
  wrongSignature(
    'signature-changed',
    'claims changed after signing [5.1-signed]',
    foreign({ alg: 'ES256', kid: 'p256' }, 'p256'),
  ),
  wrongSignature('signature-empty', 'a signature that was cut off [5.1-signed]', {
    header: { alg: 'ES256', kid: 'p256' },
    signature: 'none',
    keys: ['p256'],
  }),
  wrongSignature('signature-shortened', 'a PS256 signature without its first byte, which is 0 [5.1-signed]', {
    sign: { key: 'rsa', alg: 'PS256' },
    signature: 'shortened',
  }),
  ...(
    [
      ['embedded-jwk', 'a key in the header (jwk) is not obeyed', { kid: undefined, jwk: 'of otherRsa' }],
      [
        'embedded-x5c',
        'a certificate in the header (x5c) is not obeyed',
        { kid: undefined, x5c: 'of otherRsa' },
      ],
      [
        'jku',
        'a key set that the header points to (jku) is not fetched',
        { kid: 'x', jku: 'https://attacker.example/keys' },
      ],
    ] as const
  ).map(([id, name, header]) =>
    wrongSignature(`signature-${id}`, name, {
      sign: { key: 'otherRsa', alg: 'RS256', header },
      keys: ['rsa'],
    }),
  ),
]

const wrongTimes = refuse('ERR_PAYLOAD_TIMES')
const expired = refuse('ERR_PAYLOAD_EXPIRED')
const early = refuse('ERR_PAYLOAD_NOT_YET_VALID')

const refusedTimes: readonly PayloadCase[] = [
  wrongTimes('times-no-exp', 'no exp', changed({ exp: undefined })),
  wrongTimes('times-no-iat', 'no iat', changed({ iat: undefined })),
  wrongTimes('times-span-301', 'exp 301 s later than iat', changed({ exp: iat + 301 })),
  wrongTimes('times-reversed', 'exp not later than iat', changed({ exp: iat })),
  wrongTimes('times-text', 'exp as text', changed({ exp: String(iat + 60) })),
  wrongTimes(
    'times-text-lenient',
    'exp as text under the lenient policy',
    lenient({ exp: String(iat + 60) }),
  ),
  wrongTimes(
    'times-milliseconds',
    'times in milliseconds',
    changed({ iat: iat * 1000, exp: iat * 1000 + 60_000 }),
  ),
  expired('expired', 'exp 60 s ago', { now: '2026-06-01T12:02:00Z' }),
  expired('expired-lenient', 'exp an hour ago under the lenient policy', {
    policy: 'lenient',
    now: '2026-06-01T13:01:00Z',
  }),
  expired('expired-lenient-iat', 'iat a day and 60 s ago, without exp, under the lenient policy', {
    ...lenient({ iat }),
    now: '2026-06-02T12:01:00Z',
  }),
  early('future-iat', 'iat 61 s ahead', { now: '2026-06-01T11:58:59Z' }),
  early('future-nbf', 'nbf 61 s ahead', changed({ nbf: iat + 61 })),
  wrongTimes('times-null', 'exp of null', changed({ exp: null })),
  wrongTimes('times-negative', 'a time before 1970', changed({ nbf: -1 })),
  expired('expired-long-ago', 'exp years ago', { now: '2036-06-01T12:00:00Z' }),
]

const wrongAudience = refuse('ERR_PAYLOAD_AUDIENCE')

const refusedClaims: readonly PayloadCase[] = [
  wrongAudience('audience-missing', 'no aud', changed({ aud: undefined })),
  wrongAudience(
    'audience-other',
    'the address of another receiver',
    changed({ aud: 'https://sso.other.example/partner/payload' }),
  ),
  wrongAudience('audience-prefix', 'an address that only begins alike', changed({ aud: `${audience}/` })),
  wrongAudience(
    'audience-other-lenient',
    'another receiver under the lenient policy',
    lenient({ aud: ['https://sso.other.example'] }),
  ),
  shape('no-jti', 'jti', 'no jti', { spec: '5.1', ...changed({ jti: undefined }) }),
  shape('jti-number', 'jti', 'jti as a number', { spec: '5.1', ...changed({ jti: 17 }) }),
  shape(
    'missing',
    'organizationId employeeId contact.id',
    'every missing claim is named [2.1-claims]',
    changed({ organizationId: undefined, employeeId: undefined, contact: { firstname: 'Ola' } }),
  ),
  shape('no-contact', 'contact', 'no contact [2.1-claims]', changed({ contact: undefined })),
  shape(
    'number',
    'employeeId',
    'an ID as a number: all values are strings [2.1-claims]',
    changed({ employeeId: 7 }),
  ),
  shape('empty-id', 'contact.id', 'an ID that is white space [2.1-contact]', changedContact({ id: ' ' })),
  shape(
    'birthdate-format',
    'contact.birthdate',
    'a birthdate in another format [2.1-contact]',
    changedContact({ birthdate: '01.01.1980' }),
  ),
  shape(
    'birthdate-day',
    'contact.birthdate',
    'a birthdate that does not exist [2.1-contact]',
    changedContact({ birthdate: '1981-02-29' }),
  ),
  shape(
    'text-length',
    'contact.firstname',
    'a text of more than 4,096 characters',
    changedContact({ firstname: 'a'.repeat(4097) }),
  ),
  wrongAudience('audience-case', 'an address in another case', changed({ aud: audience.toUpperCase() })),
  wrongAudience('audience-none', 'an empty list of audiences', changed({ aud: [] })),
  wrongAudience('audience-number', 'aud as a number', changed({ aud: 7 })),
  shape('null', 'organizationId', 'an ID of null [2.1-claims]', changed({ organizationId: null })),
  shape('contact-text', 'contact', 'a contact that is text [2.1-claims]', changed({ contact: contact.id })),
  shape(
    'birthdate-number',
    'contact.birthdate',
    'a birthdate as a number: all values are strings [2.1-contact]',
    changedContact({ birthdate: 19800101 }),
  ),
  shape(
    'birthdate-years',
    'contact.birthdate',
    'a birthdate in a year of another calendar [2.1-contact]',
    changedContact({ birthdate: '2523-01-01' }),
  ),
  shape('nul', 'contact.lastname', 'the character U+0000 in a text', changedContact({ lastname: 'a\0b' })),
  ...['organizationId', 'employeeId', 'own'].map(name =>
    shape(
      `lone-surrogate-${name.toLowerCase()}`,
      name,
      `half of a character in ${name}`,
      changed({ [name]: 'a\ud800' }),
    ),
  ),
  shape(
    'lone-surrogate-id',
    'contact.id',
    'half of a character in the ID of the contact',
    changedContact({ id: 'a\udfff' }),
  ),
  shape(
    'nul-own',
    'own.0.deep',
    'the character U+0000 within a claim of the partner’s own',
    changed({ own: [{ deep: 'a\0b' }] }),
  ),
  shape('nul-jti', 'jti', 'the character U+0000 in jti', { spec: 'design 9', ...changed({ jti: 'a\0b' }) }),
  shape(
    'several',
    'employeeEmail contact.id contact.email',
    'every fault is named at once',
    changed({ employeeEmail: 7, contact: { ...contact, id: '', email: [] } }),
  ),
  shape('jti-empty', 'jti', 'an empty jti', { spec: '5.1', ...changed({ jti: '' }) }),
  shape('jti-length', 'jti', 'a jti of 257 characters', {
    spec: '5.1',
    ...changed({ jti: 'j'.repeat(257) }),
  }),
]

const notRegistered = refuse('ERR_KEY_IMPORT')

const refusedRegistrations: readonly PayloadCase[] = [
  ['weakRsa', 'an RSA key of 1,024 bits'],
  ['shortSecret', 'a secret of 31 bytes'],
  ['secretInJwk', 'a JWK that is a secret'],
  ['pemAsSecret', 'a public key registered as secret'],
  ['privateKeyAsPublic', 'a private key registered as public'],
  ['privateJwk', 'a private JWK registered as public'],
  ['exponentOne', 'an RSA key with the exponent 1, which makes forgery trivial,'],
  ['exponentThree', 'an RSA key with the exponent 3'],
  ['evenExponent', 'an RSA key with an even exponent'],
  ['evenModulus', 'an RSA key with an even modulus'],
  ['rocaModulus', 'an RSA key with the fingerprint of ROCA (CVE-2017-15361)'],
  ['paddedExponent', 'an RSA key whose exponent is no base64url text'],
  ['operationTwice', 'a JWK whose key_ops have an operation twice'],
  ['outOfRangeEd25519', 'an Ed25519 key whose point is out of range'],
  ['smallOrderEd25519', 'an Ed25519 key whose point has a small order'],
].map(([key = '', what = '']) =>
  notRegistered(
    `registration-${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
    `${what} is refused when it is registered`,
    { token: 'e30.e30.e30', keys: [key] },
  ),
)

export const payloadCases: readonly PayloadCase[] = [
  ...accepted,
  ...refusedForms,
  ...refusedKeys,
  ...refusedTimes,
  ...refusedClaims,
  ...refusedRegistrations,
].map(one => (one.token || one.tokenParts || one.header || one.sign ? one : { ...one, sign: es256 }))
