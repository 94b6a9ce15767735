import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { readPartners } from '../partner-link/keep-partners.ts'
import { readAuthSecret, readEIdSettings, readSettings } from './settings.ts'

const makeFolder = () => mkdtempDisposable(join(tmpdir(), 'service-link-settings-'))

test.each([
  [{ PORT: 'x' }, /PORT/],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, all' }, /TRUSTED_PROXIES: entry 2 must be an IP address/],
  [{ DEMO_ACCOUNTS: 'yes' }, /DEMO_ACCOUNTS: /],
  [{ METRICS_PORT: '70000', AUDIT_DAYS: '0' }, /METRICS_PORT: .*\nAUDIT_DAYS: /],
  [{ SESSION_HOURS: '0' }, /SESSION_HOURS: /],
  [{ SESSION_HOURS: '25' }, /SESSION_HOURS: /],
  [{ PUBLIC_URL: 'example' }, /PUBLIC_URL: must be an http/],
  [{ EID_ISSUER: 'http://e-id.example' }, /EID_ISSUER: must be an https address/],
  [{ EID_ISSUER: 'e-id.example' }, /EID_ISSUER: must be an https address/],
  [{ EID_SCOPE: 'profile' }, /EID_SCOPE: must contain openid/],
  [{ PUBLIC_URL: 'ftp://example.com' }, /PUBLIC_URL: must be an http/],
  [{ PUBLIC_URL: 'https://example.com/sso' }, /PUBLIC_URL: must have no path/],
  [{ DATABASE_URL: 'mysql://user:do-not-print@somewhere' }, /DATABASE_URL: must be a postgres:\/\//],
  [{ DATABASE_URL: 'user:do-not-print@somewhere' }, /DATABASE_URL: must be a postgres:\/\//],
  [{ DATABASE_URL: 'postgres://do-not-print@h/d?connect_timeout=0' }, /DATABASE_URL: must have 1 to 600/],
  [{ AUTH_SECRET: 'do-not-print' }, /AUTH_SECRET: must have at least 32 characters/],
])('%j is refused, without its value', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(message)
  expect(() => readSettings(environment)).not.toThrow('do-not-print')
})

test('an empty variable counts as none', () => {
  expect(readSettings({ PORT: '', PUBLIC_URL: '' })).toMatchObject({ PORT: 4280 })
})

test.each([
  ['no JSON', '[{', /PARTNERS_FILE: .* not JSON/],
  ['a registration without a key', '[{"id":"a","name":"A"}]', /0\.keys is missing/],
  [
    'a member of a key beside keys',
    '[{"id":"a","name":"A","secret":"do-not-print"}]',
    /0\.secret is not known/,
  ],
])(
  'a partners file with %s is refused, with the place and without a secret',
  async (_name, content, message) => {
    await using folder = await makeFolder()
    const file = join(folder.path, 'partners.json')
    await writeFile(file, content)
    const error: unknown = await readPartners(file).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('do-not-print')
  },
)

const readEId = async (environment: Record<string, string>) => readEIdSettings(readSettings(environment))
const issuer = { EID_ISSUER: 'https://e-id.example', EID_CLIENT_ID: 'my' }

test('without an issuer there is no log-in through an electronic ID; its settings are read, with the levels apart', async () => {
  expect(await readEId({})).toBeUndefined()
  const environment = { EID_CLIENT_SECRET: 's', EID_SSN_CLAIM: 'pid', EID_ACR_VALUES: ' substantial  high ' }
  expect(await readEId({ ...issuer, ...environment })).toEqual({
    issuer: 'https://e-id.example',
    clientId: 'my',
    clientSecret: 's',
    ssnClaim: 'pid',
    scope: 'openid',
    acrValues: ['substantial', 'high'],
  })
})

test.each(['http://localhost:4300', 'http://127.0.0.1:4300', 'http://[::1]:4300'])(
  'an issuer %s on this machine may do without https',
  EID_ISSUER => {
    expect(readSettings({ EID_ISSUER })).toMatchObject({ EID_ISSUER })
  },
)

test.each([
  [{ EID_CLIENT_ID: '' }, 'EID_ISSUER needs EID_CLIENT_ID.'],
  [{}, 'EID_ISSUER needs either EID_CLIENT_SECRET or EID_CLIENT_KEY_FILE.'],
  [{ EID_CLIENT_SECRET: 's', EID_CLIENT_KEY_FILE: 'key.json' }, /either EID_CLIENT_SECRET or/],
  [{ EID_CLIENT_KEY_FILE: import.meta.filename }, /is no private JSON Web Key/],
  [{ EID_CLIENT_KEY_FILE: 'nowhere.json' }, /nowhere.json cannot be read/],
  [
    { EID_CLIENT_KEY_FILE: '{"d":"…"}' },
    'EID_CLIENT_KEY_FILE: must be the name of a file, not what is in it',
  ],
])('an issuer with %j is refused', async (environment, message) => {
  await expect(readEId({ ...issuer, ...environment })).rejects.toThrow(message)
})

test('a private key is read from its file; a public one, and one without a name, are not taken', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const named = { alg: 'ES256', kid: '2026' }
  const jwk = { ...(await exportJWK(privateKey)), ...named }
  await using folder = await makeFolder()
  const file = join(folder.path, 'key.json')
  const environment = { ...issuer, EID_CLIENT_KEY_FILE: file }
  await writeFile(file, JSON.stringify(jwk))
  expect(await readEId(environment)).toMatchObject({ clientKey: jwk })
  for (const other of [
    { ...(await exportJWK(publicKey)), ...named },
    { ...jwk, kid: undefined },
  ]) {
    await writeFile(file, JSON.stringify(other))
    await expect(readEId(environment)).rejects.toThrow(expect.not.stringContaining(jwk.d ?? ''))
  }
})

test('the key is made once, as a whole, and nothing else is left in the folder', async () => {
  await using folder = await makeFolder()
  const secret = readAuthSecret(folder.path)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(readAuthSecret(folder.path)).toBe(secret)
  expect(await readdir(folder.path)).toEqual(['auth-secret'])
  expect(await readFile(join(folder.path, 'auth-secret'), 'utf8')).toBe(secret)
})

test.each(['', '\n', 'do-not-print', 'x'.repeat(31)])('a stored key of %j stops the start', async stored => {
  await using folder = await makeFolder()
  await writeFile(join(folder.path, 'auth-secret'), stored)
  const read = () => readAuthSecret(folder.path)
  expect(read).toThrow(expect.objectContaining({ code: 'ERR_AUTH_SECRET' }))
  expect(read).toThrow(/auth-secret .* cookies.* Delete it/s)
  expect(read).not.toThrow(/do-not-print/)
  expect(await readFile(join(folder.path, 'auth-secret'), 'utf8')).toBe(stored)
})
