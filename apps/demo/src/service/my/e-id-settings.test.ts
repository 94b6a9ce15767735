import { expect, test } from 'vitest'
import { z } from 'zod'
import { eIdEnvironmentShape, eIdSettingsOf } from './e-id-settings.ts'

const schema = z.object(eIdEnvironmentShape)
const read = (environment: Record<string, string>) => eIdSettingsOf(schema.parse(environment))

test('without an issuer there is no log-in through an electronic ID', () => {
  expect(read({})).toBeUndefined()
})

test('settings are read, with the levels apart', () => {
  expect(
    read({
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
  { EID_ISSUER: 'https://e-id.example' },
  { EID_ISSUER: 'https://e-id.example', EID_CLIENT_ID: 'my' },
])('an issuer without the service’s name and secret there is refused: %j', environment => {
  expect(() => read(environment)).toThrow('EID_ISSUER needs EID_CLIENT_ID and EID_CLIENT_SECRET.')
})

test('a scope without openid is refused', () => {
  expect(schema.safeParse({ EID_SCOPE: 'profile' }).success).toBe(false)
  expect(schema.safeParse({ EID_SCOPE: 'profile openid' }).success).toBe(true)
})
