import {
  constants,
  createHmac,
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import {
  keyText,
  registeredKey,
  signingKey,
  type Vector,
  vectors,
  vectorToken,
} from '@service-link/test-kit/payload-vectors'
import { type JWTHeaderParameters, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { importSigningKey } from '../keys/signing-key.ts'
import { type ExplainPayloadOptions, explainPayload } from './explain-payload.ts'
import type { ExplainedCheck } from './explained-check.ts'

const audience = 'https://sso.example/partner/payload'
const now = new Date('2026-06-01T12:00:00Z')
const iat = now.getTime() / 1000
const claims = {
  organizationId: 'org-1',
  employeeId: 'emp-7',
  contact: { id: '01018012345', firstname: 'Ola', lastname: 'Nordmann' },
  iat,
  exp: iat + 60,
  aud: audience,
  jti: 'one',
}

const checkNames = [
  'token',
  'algorithm',
  'partner',
  'key',
  'signature',
  'json',
  'active',
  'issuer',
  'times',
  'audience',
  'claims',
  'rate',
  'replay',
]

describe('conformance/vectors/payload-verification.json', () => {
  const ofTokens = vectors.filter(({ error }) => error?.code !== 'ERR_KEY_IMPORT')

  test.each(ofTokens.map(vector => [`${vector.id}: ${vector.name}`, vector] as const))(
    '%s: the first failing check of the token is verifyPayload’s refusal',
    async (_name, vector) => {
      const checks = await explainVector(vector)
      const failed = checks.find(({ check, outcome }) => outcome === 'failed' && check !== 'partner')
      expect(failed?.code).toBe(vector.error?.code)
      expect(checks.map(({ check }) => check)).toEqual(checkNames)
      for (const { outcome, code, says, change } of checks) {
        expect(code !== undefined).toBe(outcome === 'failed')
        expect(says).toMatch(/\S.*[.”]$/)
        if (outcome === 'failed') expect(change).toMatch(/\S.*\.$/)
      }
      assertSilent(checks, vector)
    },
  )
})

describe('after a failure', () => {
  test('times and audience of a badly signed token are checked, as untrusted', async () => {
    const token = await sign(
      { exp: iat - 800, iat: iat - 860, aud: 'https://other.example/' },
      { key: 'otherRsa' },
    )
    const checks = await explain(token, ['rsa'])
    expect(outcomes(checks)).toMatchObject({
      signature: 'failed ERR_PAYLOAD_SIGNATURE',
      times: 'failed ERR_PAYLOAD_EXPIRED',
      audience: 'failed ERR_PAYLOAD_AUDIENCE',
      claims: 'passed',
      replay: 'not-checked',
    })
    expect(checks.filter(({ isTrusted }) => isTrusted)).toEqual([])
  })

  test('a check whose input is missing is not tried', async () => {
    expect(outcomes(await explain(unsigned({ alg: 'none' }), ['p256']))).toMatchObject({
      algorithm: 'failed ERR_PAYLOAD_ALGORITHM',
      key: 'not-checked',
      signature: 'not-checked',
      times: 'passed',
    })
  })

  test('a text that is no token has no further checks', async () => {
    const checks = await explain('no token', ['p256'])
    expect(outcomes(checks)).toMatchObject({ token: 'failed ERR_PAYLOAD_MALFORMED', claims: 'not-checked' })
  })

  test('claims are trusted once the signature fits', async () => {
    const checks = await explain(await sign({}), ['p256'])
    expect(checks.filter(({ isTrusted }) => !isTrusted).map(({ check }) => check)).toEqual([
      'token',
      'algorithm',
      'partner',
      'key',
    ])
  })

  test('an error that is no refusal is rethrown', async () => {
    const failing = {
      ...(await importVerificationKey(registeredKey('p256'))),
      materialFor: () => Promise.reject(new Error('disk')),
    }
    await expect(
      explainPayload(await sign({}), { keys: failing, audience, clock: () => now }),
    ).rejects.toThrow('disk')
  })
})

const minute = 60
const hour = 60 * minute
const issuer = 'https://journal.example'
const lenient = { policy: 'lenient' } as const

interface Setting {
  /** Default: `p256`. */
  readonly key?: string
  readonly options?: Partial<ExplainPayloadOptions>
  /** Default: `failed`. */
  readonly outcome?: string
}

/** Typical mistakes: the check that finds it, the fault of the token, words of the advice, the token. */
const mistakes: readonly (readonly [
  ExplainedCheck['check'],
  string,
  RegExp,
  () => Promise<string> | string,
  Setting?,
])[] = [
  ...['"%"', 'Bearer %', 'Authorization: Bearer %', 'payload=%', '\uFEFF%', ' %\r\n', '&quot;%&quot;'].map(
    wrapping =>
      [
        'token',
        `a token inside ${JSON.stringify(wrapping)}`,
        /more than a token: .*(quotation|Bearer|payload=|byte order|white space|HTML)/,
        async () => wrapping.replace('%', await sign({})),
      ] as const,
  ),
  ['token', 'line breaks', /line breaks are in it/, async () => (await sign({})).replace(/(.{64})/g, '$1\n')],
  ['token', 'base64', /base64url/, async () => (await sign({})).replace(/\./g, '=.')],
  ['token', 'nothing', /no token at all/, () => ''],
  ['token', 'a key instead of a token', /a key or certificate/, () => keyText('rsa', 'pem')],
  ['token', 'claims instead of a token', /nobody has signed/, () => JSON.stringify(claims)],
  ['token', 'an encrypted token', /Five parts are an encrypted JWT/, () => 'a.b.c.d.e'],
  ['token', 'a token without its signature', /Two parts/, () => 'a.b'],
  ['algorithm', 'an unsigned token', /private key or secret/, () => unsigned({ alg: 'none' })],
  ['algorithm', 'no alg', /alg is missing/, () => unsigned({ kid: 'p256' })],
  ['algorithm', 'alg in lower case', /Write ES256/, () => unsigned({ alg: 'es256' })],
  [
    'key',
    'HS256 with the text of the registered public key',
    /text of your certificate or public key as secret/,
    () => signedWithText(keyText('rsa', 'pem'), { kid: 'rsa' }),
    { key: 'rsa' },
  ],
  [
    'signature',
    'HS256 with the text of the secret',
    /decode it from base64url first/,
    () => signedWithText(keyText('secret', 'secret'), { kid: 'secret' }),
    { key: 'secret' },
  ],
  [
    'signature',
    'HS512 in the header, HS256 in the signature',
    /as long as one of HS256, and the header says HS512/,
    () => signedWithText(keyText('longSecret', 'secret'), { alg: 'HS512', kid: 'longSecret' }),
    { key: 'longSecret' },
  ],
  [
    'signature',
    'ES256 in DER',
    /fits, but it is in DER/,
    () => signedInDer(createPrivateKey(keyText('p256', 'privatePem')), { kid: 'p256' }),
  ],
  [
    'signature',
    'ES256 in DER of another key',
    /does not fit the registered key either/,
    () => signedInDer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, {}),
  ],
  [
    'signature',
    'RS256 in the header, PS256 in the signature',
    /made with PS256, and the header says RS256/,
    () => signedWithPss('rsa', { alg: 'RS256', kid: 'rsa' }),
    { key: 'rsa' },
  ],
  [
    'signature',
    'kid of one key, signed with another',
    /another key than kid names/,
    () => sign({}, { key: 'otherRsa', kid: 'rsa' }),
    { key: 'rsa otherRsa' },
  ],
  [
    'signature',
    'a key of its own in the header',
    /carries a key of its own \(x5c\)/,
    () => sign({}, { key: 'otherRsa', kid: 'rsa', header: { x5c: ['AAAA'] } }),
    { key: 'rsa' },
  ],
  [
    'partner',
    'kid is the thumbprint with colons',
    /in another spelling.*Write "[\dA-F]{64}"/s,
    async () => sign({}, { key: 'certificate', kid: (await thumbprint()).replace(/(..)(?=.)/g, '$1:') }),
    { key: 'certificate' },
  ],
  ['partner', 'another kid', /kid is "old", and registered is "p256"/, () => sign({}, { kid: 'old' })],
  [
    'partner',
    'another kid, and iss may be registered',
    /if iss "https:\/\/journal.example" is registered.*registered is "p256"/s,
    () => sign({ iss: issuer }, { kid: 'old' }),
    { outcome: 'not-checked' },
  ],
  [
    'partner',
    'another kid, and iss is not registered',
    /neither is registered/,
    () => sign({ iss: issuer }, { kid: 'old' }),
    { options: { registration: { isActive: true } } },
  ],
  [
    'partner',
    'another kid, and iss is registered',
    /finds you by iss.*registered is "p256"/s,
    () => sign({ iss: issuer }, { kid: 'old' }),
    { options: { issuer }, outcome: 'passed' },
  ],
  [
    'partner',
    'neither kid nor iss',
    /no kid and no iss.*Send the registered kid, "p256"/s,
    () => sign({}, { header: { kid: undefined } }),
  ],
  [
    'partner',
    'a secret that was given without its kid',
    /given here without a kid/,
    () => sign({}, { key: 'unnamedSecret', kid: 'mine' }),
    { key: 'unnamedSecret' },
  ],
  [
    'active',
    'a partner that is not active',
    /not active.*Ask the service/,
    () => sign({}),
    { options: { registration: { isActive: false } } },
  ],
  [
    'replay',
    'a repeatable partner’s sample',
    /taken each time, for ever, from anybody.*for tests alone/s,
    () => sign({ iat: undefined, exp: undefined, jti: undefined }),
    { options: { ...lenient, registration: { isActive: true, repeatable: true } }, outcome: 'passed' },
  ],
  [
    'replay',
    'a repeatable partner’s token with iat as text',
    /each works once/,
    () => sign({ iat: String(iat), exp: undefined, jti: undefined }),
    { options: { ...lenient, registration: { isActive: true, repeatable: true } }, outcome: 'not-checked' },
  ],
  [
    'times',
    'exp as text long ago, which the policy lenient reads',
    /exp was 14 minutes ago.*when the user clicks/s,
    () => sign({ iat: undefined, exp: String(iat - 14 * minute) }),
    { options: lenient },
  ],
  [
    'times',
    'exp long ago',
    /exp was 14 minutes ago.*when the user clicks/s,
    () => sign({ iat: iat - 15 * minute, exp: iat - 14 * minute }),
  ],
  [
    'times',
    'a clock that is two hours ahead',
    /exactly 2 h.*local time/s,
    () => sign({ iat: iat + 2 * hour, exp: iat + 2 * hour + 60 }),
  ],
  [
    'times',
    'a clock that is five and a half hours late',
    /when the user clicks.*If it was signed just now, .*exactly 5.5 h/s,
    () => sign({ iat: iat - 5.5 * hour + 20, exp: iat - 5.5 * hour + 80 }),
  ],
  [
    'times',
    'milliseconds',
    /milliseconds.*divide by 1000/s,
    () => sign({ iat: iat * 1000, exp: (iat + 60) * 1000 }),
  ],
  ['times', 'milliseconds in exp alone', /milliseconds/, () => sign({ exp: (iat + 60) * 1000 })],
  ['times', 'an nbf that is an object', /nbf is an object/, () => sign({ nbf: { toString: {} } })],
  ['times', 'times as text', /JSON numbers/, () => sign({ exp: '2026-06-01' })],
  ['times', 'a day of validity', /From iat to exp it is 1 day/, () => sign({ exp: iat + 86_400 })],
  ...(
    [
      [`${audience}/`, /a slash too many at its end/],
      ['https://other.example/partner/payload', /the host is another one/],
      ['http://sso.example/partner/payload', /http:\/\/ instead of https:/],
      ['https://sso.example:8443/partner/payload', /the port is another one/],
      ['https://sso.example', /the path is another one/],
      [' https://sso.example/partner/payload', /white space/],
      ['HTTPS://SSO.EXAMPLE/partner/payload', /another spelling/],
      [undefined, /aud is missing/],
    ] as const
  ).map(([aud, tells]) => ['audience', `the audience ${aud}`, tells, () => sign({ aud })] as const),
  [
    'claims',
    'contact’s members at the top level',
    /id, firstname stand at the top level/,
    () => sign({ contact: undefined, id: 'x', firstname: 'Ola' }),
  ],
  ['claims', 'contact as the text of JSON', /JSON written as text/, () => sign({ contact: '{"id":"x"}' })],
  ['claims', 'no contact', /Add the person in focus/, () => sign({ contact: undefined })],
  [
    'claims',
    'a claim in another spelling',
    /Write organizationId instead of OrganisationID/,
    () => sign({ organizationId: undefined, OrganisationID: 'x' }),
  ],
  [
    'claims',
    'contact in another spelling',
    /Write contact instead of Contact/,
    () => sign({ contact: undefined, Contact: { id: 'x' } }),
  ],
  ['claims', 'a number as id', /contact\.id as text/, () => sign({ contact: { id: 4711 } })],
  [
    'claims',
    'an ID that is no exact number, under the policy lenient',
    /employeeId must be text: only whole numbers.*Write employeeId as text/s,
    () => sign({ employeeId: 2 ** 60 }),
    { options: lenient },
  ],
  [
    'claims',
    'all claims in a member',
    /inside the member payload/,
    () => sign({ payload: claims, organizationId: undefined, employeeId: undefined, contact: undefined }),
  ],
  ['claims', 'no jti', /a new UUID/, () => sign({ jti: undefined })],
  [
    'issuer',
    'another issuer',
    /"https:\/\/journal.example\/", and "https:\/\/journal.example" is registered/,
    () => sign({ iss: `${issuer}/` }),
    { options: { issuer } },
  ],
]

test.for(mistakes)('%s: %s', async ([check, _name, tells, make, setting = {}]) => {
  const { key = 'p256', options, outcome = 'failed' } = setting
  const checks = await explain(await make(), key.split(' '), options)
  const found = checks.find(one => one.check === check)
  expect(found?.outcome).toBe(outcome)
  expect(`${found?.says} ${found?.change}`).toMatch(tells)
})

test('text around a token does not hide it', async () => {
  const checks = await explain(`"Bearer ${await sign({ iat: iat - 900, exp: iat - 840 })}"`, ['p256'])
  expect(outcomes(checks)).toMatchObject({
    token: 'failed ERR_PAYLOAD_MALFORMED',
    signature: 'passed',
    times: 'failed ERR_PAYLOAD_EXPIRED',
  })
})

test('text from a token does nothing to a terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u009b31m\u202e"kid'
  const token = await sign(
    { iss: evil, aud: evil, [evil]: evil, contact: { id: 'x', [evil]: evil } },
    { kid: evil },
  )
  for (const { says, change = '' } of await explain(token, ['p256'], { issuer: 'x' }))
    expect(`${says}${change}`).not.toMatch(/\p{Cc}|\u202e/u)
})

async function thumbprint(): Promise<string> {
  const key = await importVerificationKey(registeredKey('certificate'), { clock: () => now })
  return key.certificate?.thumbprint ?? ''
}

async function explain(
  token: string,
  names: readonly string[],
  options: Partial<ExplainPayloadOptions> = {},
): Promise<readonly ExplainedCheck[]> {
  const clock = () => now
  const sources = names.map(registeredKey)
  const keys = await Promise.all(
    sources.map(source => importVerificationKey(source, { clock, validity: 'use' })),
  )
  return explainPayload(token, { keys, sources, audience, clock, ...options })
}

async function explainVector(vector: Vector): Promise<readonly ExplainedCheck[]> {
  const { keys, audience: expected, policy, issuer, ends, now: at } = vector.input
  return explain(vectorToken(vector), keys, {
    audience: expected,
    policy,
    issuer,
    ends,
    clock: () => new Date(at),
  })
}

async function sign(
  changed: Readonly<Record<string, unknown>>,
  { key = 'p256', kid = key, header = {} }: { key?: string; kid?: string; header?: object } = {},
): Promise<string> {
  const { algorithm, material } = await importSigningKey(signingKey(key))
  const protectedHeader: JWTHeaderParameters = { alg: algorithm, kid, ...header }
  return new SignJWT({ ...claims, ...changed }).setProtectedHeader(protectedHeader).sign(material)
}

function signingInput(header: object): string {
  return [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}

function unsigned(header: object): string {
  return `${signingInput(header)}.`
}

function signedWithText(text: string, header: object): string {
  const input = signingInput({ alg: 'HS256', ...header })
  return `${input}.${createHmac('sha256', text).update(input).digest('base64url')}`
}

function signedInDer(key: KeyObject, header: object): string {
  const input = signingInput({ alg: 'ES256', ...header })
  return `${input}.${createSign('sha256').update(input).sign(key, 'base64url')}`
}

function signedWithPss(key: string, header: object): string {
  const input = signingInput(header)
  const signer = { key: keyText(key, 'privatePem'), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return `${input}.${createSign('sha256').update(input).sign(signer, 'base64url')}`
}

function outcomes(checks: readonly ExplainedCheck[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    checks.map(({ check, outcome, code }) => [check, code ? `${outcome} ${code}` : outcome]),
  )
}

/** No text repeats a person’s data or a part of the token. */
function assertSilent(checks: readonly ExplainedCheck[], vector: Vector): void {
  const text = JSON.stringify(checks)
  for (const secret of ['Nordmann', '01018012345', 'emp-7', 'org-1', 'BEGIN'])
    expect(text).not.toContain(secret)
  for (const part of vectorToken(vector).split('.')) if (part.length > 12) expect(text).not.toContain(part)
}
