import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { eIdEnvironmentShape, readEIdSettings } from './e-id-settings.ts'

const schema = z.object(eIdEnvironmentShape)
const read = (environment: Record<string, string>) => readEIdSettings(schema.parse(environment))

test('without an issuer there is no log-in through an electronic ID', async () => {
  expect(await read({})).toBeUndefined()
})

test('settings are read, with the levels apart', async () => {
  expect(
    await read({
      EID_ISSUER: 'https://e-id.example/tenant',
      EID_CLIENT_ID: 'my',
      EID_CLIENT_SECRET: 's',
      EID_SSN_CLAIM: 'pid',
      EID_ACR_VALUES: ' substantial  high ',
    }),
  ).toEqual({
    issuer: 'https://e-id.example/tenant',
    clientId: 'my',
    clientSecret: 's',
    ssnClaim: 'pid',
    scope: 'openid',
    acrValues: ['substantial', 'high'],
  })
})

test.each(['http://e-id.example', 'e-id.example', 'ftp://e-id.example', 'https:'])(
  'an issuer %s is refused: what it says could be changed on its way',
  issuer => {
    expect(schema.safeParse({ EID_ISSUER: issuer }).success).toBe(false)
  },
)

test.each(['http://localhost:4300', 'http://127.0.0.1:4300', 'http://[::1]:4300'])(
  'an issuer %s on this machine may do without https',
  issuer => {
    expect(schema.safeParse({ EID_ISSUER: issuer }).success).toBe(true)
  },
)

test.each([
  [{}, 'EID_ISSUER needs EID_CLIENT_ID.'],
  [{ EID_CLIENT_ID: 'my' }, 'EID_ISSUER needs either EID_CLIENT_SECRET or EID_CLIENT_KEY_FILE.'],
  [
    { EID_CLIENT_ID: 'my', EID_CLIENT_SECRET: 's', EID_CLIENT_KEY_FILE: 'key.json' },
    'EID_ISSUER needs either EID_CLIENT_SECRET or EID_CLIENT_KEY_FILE.',
  ],
  [{ EID_CLIENT_ID: 'my', EID_CLIENT_KEY_FILE: import.meta.filename }, /is no private JSON Web Key/],
  [{ EID_CLIENT_ID: 'my', EID_CLIENT_KEY_FILE: 'nowhere.json' }, /nowhere.json cannot be read/],
])('an issuer with %j is refused', async (environment, message) => {
  await expect(read({ EID_ISSUER: 'https://e-id.example', ...environment })).rejects.toThrow(message)
})

test('a private key is read from its file; a public one, and one without a name, are not taken', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const named = { alg: 'ES256', kid: '2026' }
  const jwk = { ...(await exportJWK(privateKey)), ...named }
  await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-e-id-'))
  const file = join(folder.path, 'key.json')
  const environment = { EID_ISSUER: 'https://e-id.example', EID_CLIENT_ID: 'my', EID_CLIENT_KEY_FILE: file }
  await writeFile(file, JSON.stringify(jwk))
  expect(await read(environment)).toMatchObject({ clientKey: jwk })
  for (const other of [
    { ...(await exportJWK(publicKey)), ...named },
    { ...jwk, kid: undefined },
  ]) {
    await writeFile(file, JSON.stringify(other))
    await expect(read(environment)).rejects.toThrow(expect.not.stringContaining(jwk.d ?? ''))
  }
})

test('a scope without openid is refused', () => {
  expect(schema.safeParse({ EID_SCOPE: 'profile' }).success).toBe(false)
  expect(schema.safeParse({ EID_SCOPE: 'profile openid' }).success).toBe(true)
})
