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
      assertSilent(checks, vector)
    },
  )

  test.each(ofTokens)(
    '$id: each check once, in the order of verifyPayload, each with a text',
    async vector => {
      const checks = await explainVector(vector)
      expect(checks.map(({ check }) => check)).toEqual(checkNames)
      for (const { outcome, code, says, change } of checks) {
        expect(code !== undefined).toBe(outcome === 'failed')
        expect(says).toMatch(/\S.*[.”]$/)
        if (outcome === 'failed') expect(change).toMatch(/\S.*\.$/)
      }
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

/** Typical mistakes: the fault of the token, the check that finds it, and words of the advice. */
const mistakes: {
  readonly name: string
  readonly token: () => Promise<string> | string
  readonly keys?: readonly string[]
  readonly options?: Partial<ExplainPayloadOptions>
  readonly check: ExplainedCheck['check']
  readonly outcome?: string
  readonly tells: RegExp
}[] = [
  ...[
    '"%"',
    "'%'",
    'Bearer %',
    'Authorization: Bearer %',
    'payload=%',
    '\uFEFF%',
    ' %\r\n',
    '&quot;%&quot;',
    '%&#x3D;',
  ].map(wrapping => ({
    name: `a token inside ${JSON.stringify(wrapping)}`,
    token: async () => wrapping.replace('%', await sign({})),
    check: 'token' as const,
    tells: /more than a token: .*(quotation|Bearer|payload=|byte order|white space|HTML)/,
  })),
  {
    name: 'a token with line breaks',
    token: async () => (await sign({})).replace(/(.{64})/g, '$1\n'),
    check: 'token',
    tells: /line breaks are in it/,
  },
  {
    name: 'base64 instead of base64url',
    token: async () => (await sign({})).replace(/\./g, '=.'),
    check: 'token',
    tells: /base64url/,
  },
  { name: 'nothing', token: () => '', check: 'token', tells: /no token at all/ },
  {
    name: 'a key instead of a token',
    token: () => keyText('rsa', 'pem'),
    check: 'token',
    tells: /a key or certificate/,
  },
  {
    name: 'claims instead of a token',
    token: () => JSON.stringify(claims),
    check: 'token',
    tells: /nobody has signed/,
  },
  {
    name: 'an unsigned token',
    token: () => unsigned({ alg: 'none' }),
    check: 'algorithm',
    tells: /private key or secret/,
  },
  {
    name: 'alg in lower case',
    token: () => unsigned({ alg: 'es256' }),
    check: 'algorithm',
    tells: /Write ES256/,
  },
  {
    name: 'HS256 with the text of the registered public key',
    token: () => signedWithText(keyText('rsa', 'pem'), { kid: 'rsa' }),
    keys: ['rsa'],
    check: 'key',
    tells: /text of your certificate or public key as secret/,
  },
  {
    name: 'HS256 with the text of the secret',
    token: () => signedWithText(keyText('secret', 'secret'), { kid: 'secret' }),
    keys: ['secret'],
    check: 'signature',
    tells: /decode it from base64url first/,
  },
  {
    name: 'HS512 in the header, HS256 in the signature',
    token: () => signedWithText(keyText('longSecret', 'secret'), { alg: 'HS512', kid: 'longSecret' }),
    keys: ['longSecret'],
    check: 'signature',
    tells: /as long as one of HS256, and the header says HS512/,
  },
  {
    name: 'ES256 in DER',
    token: () => signedInDer(createPrivateKey(keyText('p256', 'privatePem')), { kid: 'p256' }),
    check: 'signature',
    tells: /fits, but it is in DER/,
  },
  {
    name: 'ES256 in DER of another key',
    token: () => signedInDer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, {}),
    check: 'signature',
    tells: /does not fit the registered key either/,
  },
  {
    name: 'RS256 in the header, PS256 in the signature',
    token: () => signedWithPss('rsa', { alg: 'RS256', kid: 'rsa' }),
    keys: ['rsa'],
    check: 'signature',
    tells: /made with PS256, and the header says RS256/,
  },
  {
    name: 'kid of one key, signed with another',
    token: () => sign({}, { key: 'otherRsa', kid: 'rsa' }),
    keys: ['rsa', 'otherRsa'],
    check: 'signature',
    tells: /another key than kid names/,
  },
  {
    name: 'a key of its own in the header',
    token: () => sign({}, { key: 'otherRsa', kid: 'rsa', header: { x5c: ['AAAA'] } }),
    keys: ['rsa'],
    check: 'signature',
    tells: /carries a key of its own \(x5c\)/,
  },
  {
    name: 'kid is the thumbprint with colons',
    token: async () =>
      sign({}, { key: 'certificate', kid: (await thumbprint()).replace(/(..)(?=.)/g, '$1:') }),
    keys: ['certificate'],
    check: 'partner',
    tells: /in another spelling.*Write "[\dA-F]{64}"/s,
  },
  {
    name: 'kid is the thumbprint in lower case',
    token: async () => sign({}, { key: 'certificate', kid: (await thumbprint()).toLowerCase() }),
    keys: ['certificate'],
    check: 'partner',
    tells: /in another spelling/,
  },
  {
    name: 'kid is not the registered one',
    token: () => sign({}, { kid: 'old' }),
    check: 'partner',
    tells: /kid is "old", and registered is "p256"/,
  },
  {
    name: 'kid is not the registered one, and iss may be',
    token: () => sign({ iss: 'https://journal.example' }, { kid: 'old' }),
    check: 'partner',
    outcome: 'not-checked',
    tells: /if iss "https:\/\/journal.example" is registered.*registered is "p256"/s,
  },
  {
    name: 'kid is not the registered one, and iss is not registered',
    token: () => sign({ iss: 'https://journal.example' }, { kid: 'old' }),
    options: { registration: { isActive: true } },
    check: 'partner',
    tells: /neither is registered/,
  },
  {
    name: 'kid is not the registered one, and iss is',
    token: () => sign({ iss: 'https://journal.example' }, { kid: 'old' }),
    options: { issuer: 'https://journal.example' },
    check: 'partner',
    outcome: 'passed',
    tells: /finds you by iss.*registered is "p256"/s,
  },
  {
    name: 'neither kid nor iss',
    token: () => sign({}, { header: { kid: undefined } }),
    check: 'partner',
    tells: /no kid and no iss.*Send the registered kid, "p256"/s,
  },
  {
    name: 'a secret that was given without its kid',
    token: () => sign({}, { key: 'unnamedSecret', kid: 'mine' }),
    keys: ['unnamedSecret'],
    check: 'partner',
    tells: /given here without a kid/,
  },
  {
    name: 'a partner that is not active',
    token: () => sign({}),
    options: { registration: { isActive: false } },
    check: 'active',
    tells: /not active.*Ask the service/,
  },
  {
    name: 'a repeatable partner’s sample',
    token: () => sign({ iat: undefined, exp: undefined, jti: undefined }),
    options: { policy: 'lenient', registration: { isActive: true, repeatable: true } },
    check: 'replay',
    outcome: 'passed',
    tells: /taken each time, for ever, from anybody.*for tests alone/s,
  },
  {
    name: 'a repeatable partner’s token with iat as text',
    token: () => sign({ iat: String(iat), exp: undefined, jti: undefined }),
    options: { policy: 'lenient', registration: { isActive: true, repeatable: true } },
    check: 'replay',
    outcome: 'not-checked',
    tells: /each works once/,
  },
  {
    name: 'exp as text long ago, which the policy lenient reads',
    token: () => sign({ iat: undefined, exp: String(iat - 14 * minute) }),
    options: { policy: 'lenient' },
    check: 'times',
    tells: /exp was 14 minutes ago.*when the user clicks/s,
  },
  {
    name: 'an ID that is no exact number, under the policy lenient',
    token: () => sign({ employeeId: 2 ** 60 }),
    options: { policy: 'lenient' },
    check: 'claims',
    tells: /employeeId must be text: only whole numbers.*Write employeeId as text/s,
  },
  {
    name: 'exp long ago',
    token: () => sign({ iat: iat - 15 * minute, exp: iat - 14 * minute }),
    check: 'times',
    tells: /exp was 14 minutes ago.*when the user clicks/s,
  },
  {
    name: 'a clock that is two hours ahead',
    token: () => sign({ iat: iat + 2 * hour, exp: iat + 2 * hour + 60 }),
    check: 'times',
    tells: /exactly 2 h.*local time/s,
  },
  {
    name: 'a clock that is five and a half hours late',
    token: () => sign({ iat: iat - 5.5 * hour + 20, exp: iat - 5.5 * hour + 80 }),
    check: 'times',
    tells: /when the user clicks.*If it was signed just now, .*exactly 5.5 h/s,
  },
  {
    name: 'a token that was saved an hour ago',
    token: () => sign({ iat: iat - hour, exp: iat - hour + 60 }),
    check: 'times',
    tells: /when the user clicks.*If it was signed just now/s,
  },
  {
    name: 'milliseconds',
    token: () => sign({ iat: iat * 1000, exp: (iat + 60) * 1000 }),
    check: 'times',
    tells: /milliseconds.*divide by 1000/s,
  },
  {
    name: 'milliseconds in exp alone',
    token: () => sign({ exp: (iat + 60) * 1000 }),
    check: 'times',
    tells: /milliseconds/,
  },
  { name: 'times as text', token: () => sign({ exp: '2026-06-01' }), check: 'times', tells: /JSON numbers/ },
  {
    name: 'a day of validity',
    token: () => sign({ exp: iat + 86_400 }),
    check: 'times',
    tells: /From iat to exp it is 1 day/,
  },
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
  ).map(([aud, tells]) => ({
    name: `the audience ${aud}`,
    token: () => sign({ aud }),
    check: 'audience' as const,
    tells,
  })),
  {
    name: 'contact’s members at the top level',
    token: () => sign({ contact: undefined, id: 'x', firstname: 'Ola' }),
    check: 'claims',
    tells: /id, firstname stand at the top level/,
  },
  {
    name: 'contact as the text of JSON',
    token: () => sign({ contact: '{"id":"x"}' }),
    check: 'claims',
    tells: /JSON written as text/,
  },
  {
    name: 'no contact',
    token: () => sign({ contact: undefined }),
    check: 'claims',
    tells: /Add the person in focus/,
  },
  {
    name: 'contact in another spelling',
    token: () => sign({ contact: undefined, Contact: { id: 'x' } }),
    check: 'claims',
    tells: /Write contact instead of Contact/,
  },
  {
    name: 'a claim in another spelling',
    token: () => sign({ organizationId: undefined, OrganisationID: 'x' }),
    check: 'claims',
    tells: /Write organizationId instead of OrganisationID/,
  },
  {
    name: 'a number as id',
    token: () => sign({ contact: { id: 4711 } }),
    check: 'claims',
    tells: /contact\.id as text/,
  },
  {
    name: 'all claims in a member',
    token: () =>
      sign({ payload: claims, organizationId: undefined, employeeId: undefined, contact: undefined }),
    check: 'claims',
    tells: /inside the member payload/,
  },
  { name: 'no jti', token: () => sign({ jti: undefined }), check: 'claims', tells: /a new UUID/ },
  {
    name: 'another issuer',
    token: () => sign({ iss: 'https://journal.example/' }),
    options: { issuer: 'https://journal.example' },
    check: 'issuer',
    tells: /"https:\/\/journal.example\/", and "https:\/\/journal.example" is registered/,
  },
]

describe('typical mistakes', () => {
  test.each(mistakes)(
    '$name',
    async ({ token, keys = ['p256'], options, check, outcome = 'failed', tells }) => {
      const checks = await explain(await token(), keys, options)
      const found = checks.find(one => one.check === check)
      expect(found?.outcome).toBe(outcome)
      expect(`${found?.says} ${found?.change}`).toMatch(tells)
    },
  )

  test('text around a token does not hide it', async () => {
    const checks = await explain(`"Bearer ${await sign({ iat: iat - 900, exp: iat - 840 })}"`, ['p256'])
    expect(outcomes(checks)).toMatchObject({
      token: 'failed ERR_PAYLOAD_MALFORMED',
      signature: 'passed',
      times: 'failed ERR_PAYLOAD_EXPIRED',
    })
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
  const { keys, audience: expected, policy, issuer, now: at } = vector.input
  return explain(vectorToken(vector), keys, { audience: expected, policy, issuer, clock: () => new Date(at) })
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
