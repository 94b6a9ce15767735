import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPartners } from './partner-link/keep-partners.ts'
import { readSettings } from './settings.ts'

test.each([
  [{ PORT: 'x' }, /PORT/],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, all' }, /TRUSTED_PROXIES: entry 2 must be an IP address/],
  [{ DEMO_ACCOUNTS: 'yes' }, /DEMO_ACCOUNTS: /],
  [{ METRICS_PORT: '70000', AUDIT_DAYS: '0' }, /METRICS_PORT: .*\nAUDIT_DAYS: /],
  [{ SESSION_HOURS: '0' }, /SESSION_HOURS: /],
  [{ SESSION_HOURS: '25' }, /SESSION_HOURS: /],
  [{ PUBLIC_URL: 'example' }, /PUBLIC_URL: must be an http/],
  [{ EID_ISSUER: 'http://e-id.example' }, /EID_ISSUER: must be an https address/],
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
  ['a registration without a key', '[{"id":"a","name":"A","secret":"do-not-print"}]', /0\.keys/],
])(
  'a partners file with %s is refused, with the place and without a secret',
  async (_name, content, message) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-settings-'))
    const file = join(folder.path, 'partners.json')
    await writeFile(file, content)
    const error: unknown = await readPartners(file).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('do-not-print')
  },
)
