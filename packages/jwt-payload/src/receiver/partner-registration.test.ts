import { describe, expect, test } from 'vitest'
import { keyText, registeredKey } from '../../test/support/vectors.ts'
import { KeyImportError } from '../errors/key-errors.ts'
import { createPartnerDirectory } from './partner-directory.ts'
import {
  appearanceSchema,
  importPartner,
  keyRegistrationSchema,
  originSchema,
  type PartnerRegistration,
} from './partner-registration.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

const good: PartnerRegistration = {
  id: 'good',
  name: 'Good',
  keys: [keyRegistrationSchema.parse(registeredKey('p256'))],
}

const secret = { kind: 'secret' as const, secret: 'A'.repeat(43) }

/** A registration from a file, without type checks. */
function withKeyMembers(members: Readonly<Record<string, unknown>>): PartnerRegistration {
  return Object.assign(structuredClone(good), { keys: [{ ...good.keys[0], ...members }] })
}

/** The error with which an import fails. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('an invalid registration', () => {
  test.each<[string, string, PartnerRegistration]>([
    ['id', 'must be', { ...good, id: 'top secret!' }],
    ['repeatable', 'needs the policy lenient', { ...good, repeatable: true }],
    ['scriptOrigins.0', 'must be an origin', { ...good, scriptOrigins: ['https://x.example/'] }],
    ['keys.1.pem', '', { ...good, keys: [...good.keys, { kind: 'spki', pem: '' }] }],
    ['keys.0.kid', 'must be a string', withKeyMembers({ kid: ['top secret!'] })],
    ['keys.0.jwk', 'is missing', withKeyMembers({ jwk: undefined })],
    ['keys.0.url', '', { ...good, keys: [{ kind: 'jwks', url: 'top secret!' }] }],
  ])('of wrong shape at %s is refused by path, without the value', async (path, problem, registration) => {
    const alone = await refusalOf(importPartner(registration))
    expect(alone).toBeInstanceOf(ReceiverOptionError)
    expect(String(alone)).toContain(` ${path} ${problem}`)
    const second = await refusalOf(createPartnerDirectory([good, registration]))
    expect(second).toBeInstanceOf(ReceiverOptionError)
    expect(String(second)).toContain(` 1.${path} ${problem}`)
    for (const error of [alone, second]) {
      expect(`${error} ${JSON.stringify(error)}`).not.toContain('top secret!')
      expect(error).not.toHaveProperty('cause')
    }
  })

  test.each<[string, string, object]>([
    ['frameOrigin', 'Did you mean frameOrigins?', { frameOrigin: [] }],
    ['appearance.colour', 'Did you mean color?', { appearance: { colour: '#000000' } }],
    ['keys.0.keyid', 'Known: ', { keys: [{ ...secret, keyid: '2026' }] }],
    ['keys.0.Kid', 'Did you mean kid?', { keys: [{ ...secret, Kid: '2026' }] }],
  ])('with the unknown member %s is refused by name: %s', async (path, hint, members) => {
    const registration: PartnerRegistration = Object.assign(structuredClone(good), members)
    await expect(importPartner(registration)).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
      message: expect.stringContaining(`registration.${path} is not known. ${hint}`),
    })
    await expect(createPartnerDirectory([good, registration])).rejects.toMatchObject({
      message: expect.stringContaining(`registrations.1.${path} is not known. ${hint}`),
    })
  })

  test('[5.1-asymmetric] a JWK with null members and DER in base64 are accepted as they are in JSON', async () => {
    const key = registeredKey('p256')
    const jwk = key.kind === 'jwk' ? key.jwk : undefined
    const empty = { kid: null, alg: null, use: '', key_ops: [], oth: [], d: null }
    const pem = keyText('rsa', 'pem').replace(/-----.*-----/g, '')
    const file = JSON.stringify({
      ...good,
      keys: [
        { kind: 'jwk', jwk: { ...jwk, ...empty } },
        { kind: 'spki', pem },
      ],
    })
    const { keys } = await importPartner(JSON.parse(file))
    expect(keys.map(({ algorithms }) => algorithms[0])).toEqual(['ES256', 'RS256'])
  })

  test('secrets without a kid, and a secret beside a key of its kid, are accepted', async () => {
    const keys = [secret, secret, { ...secret, kid: 'p256' }, ...good.keys]
    await expect(importPartner({ ...good, issuer: 'https://good.example', keys })).resolves.toBeDefined()
  })

  test('with an unusable key is refused by partner and key, without the key’s content', async () => {
    const pem = keyText('p384', 'privatePem')
    const registration: PartnerRegistration = {
      ...good,
      id: 'other',
      keys: [...good.keys, { kind: 'spki', pem }],
    }
    const alone = await refusalOf(importPartner(registration))
    expect(alone).toBeInstanceOf(KeyImportError)
    expect(alone).toMatchObject({ path: 'keys.1', kind: 'spki' })
    const second = await refusalOf(createPartnerDirectory([good, registration]))
    expect(second).toBeInstanceOf(KeyImportError)
    expect(second).toMatchObject({
      path: '1.keys.1',
      message: expect.stringMatching(/^The key 1\.keys\.1 of kind spki cannot be used: /),
    })
    for (const error of [alone, second])
      expect(`${error} ${JSON.stringify(error)}`).not.toContain(pem.split('\n')[1])
  })
})

const png = 'data:image/png;base64,iVBORw0KGgo='

describe('an appearance', () => {
  test.each([
    {},
    { displayName: 'Journal «Å» 日本' },
    { logoUrl: 'https://cdn.example/logo.svg?v=2' },
    { logoUrl: 'https://cdn_1.xn--bcher-kva.example:8443/logo.svg' },
    { logoUrl: 'https://[2001:db8::1]/logo.svg' },
    { logoUrl: png },
    { logoUrl: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E' },
    { color: '#00aaFF' },
    { landingView: 'my-workouts2' },
  ])('%j is kept unchanged', appearance => {
    expect(appearanceSchema.parse(appearance)).toEqual(appearance)
  })

  test.each<[string, object]>([
    ['a script for a logo', { logoUrl: 'javascript:alert(1)' }],
    ['a script for a logo, hidden', { logoUrl: ' java\nscript:alert(1)' }],
    ['a page for a logo', { logoUrl: 'data:text/html,<script>alert(1)</script>' }],
    ['a page for a logo, hidden', { logoUrl: 'data:image/png,text/html;base64"><script>' }],
    ['an SVG of raw markup', { logoUrl: 'data:image/svg+xml,<svg onload="alert(1)">' }],
    ['a logo over http', { logoUrl: 'http://cdn.example/logo.svg' }],
    ['a logo of this page', { logoUrl: '/logo.svg' }],
    ['a logo with a password', { logoUrl: 'https://user:secret@cdn.example/logo.svg' }],
    ['a logo that ends its attribute', { logoUrl: 'https://cdn.example/"><script>' }],
    ['a logo whose host ends the policy', { logoUrl: "https://cdn.example;script-src 'unsafe-inline'" }],
    ['a logo of another policy', { logoUrl: 'https://cdn.example;script-src/logo.svg' }],
    ['a logo of every host', { logoUrl: 'https://*.example/logo.svg' }],
    ['a logo of every host at all', { logoUrl: 'https://*/logo.svg' }],
    ['a logo of two hosts', { logoUrl: 'https://cdn.example,evil.example/logo.svg' }],
    ['a logo of a quoted host', { logoUrl: "https://'self'/logo.svg" }],
    ['a logo with a line break', { logoUrl: 'https://cdn.example/\nlogo.svg' }],
    ['a logo of 3,000 characters', { logoUrl: `https://cdn.example/${'a'.repeat(3000)}` }],
    ['a logo of 70,000 bytes', { logoUrl: `${png}${'a'.repeat(70_000)}` }],
    ['a colour with more style', { color: '#00aaff;background:url(https://evil.example)' }],
    ['a colour by name', { color: 'red' }],
    ['a colour with a line break', { color: '#00aaff\n' }],
    ['a colour of a function', { color: 'var(--x)' }],
    ['a view that is a path', { landingView: '../admin' }],
    ['a view that is an address', { landingView: 'https://evil.example' }],
    ['an empty view', { landingView: '' }],
    ['an empty name', { displayName: ' ' }],
    ['a name of 300 characters', { displayName: 'n'.repeat(300) }],
    ['something else', { script: 'alert(1)' }],
  ])('with %s is refused', (_name, appearance) => {
    expect(appearanceSchema.safeParse(appearance).success).toBe(false)
  })
})

describe('a frame origin', () => {
  test.each([
    'https://journal.example',
    'https://journal.example:8443',
    'http://localhost:4000',
    'http://app.localhost',
    'http://127.0.0.1:4000',
  ])('%s is accepted', origin => {
    expect(originSchema.parse(origin)).toBe(origin)
  })

  test.each([
    '*',
    'https://*',
    'https://*.example',
    'https:',
    'https://journal.example/',
    'https://journal.example/path',
    'https://journal.example?x',
    'https://user@journal.example',
    'https://JOURNAL.example',
    'https://journal.example:443',
    'https://journal.example https://evil.example',
    "https://journal.example; script-src 'unsafe-inline'",
    'https://journal.example;script-src',
    'https://journal.example,https://evil.example',
    'https://journal.example\r\nset-cookie: a=b',
    'http://journal.example',
    'http://localhost.evil.example',
    'null',
    'data:',
    'file://',
    "'self'",
    "'none'",
    '',
    `https://${'a'.repeat(300)}.example`,
  ])('%j is refused', origin => {
    expect(originSchema.safeParse(origin).success).toBe(false)
  })
})
