import fc from 'fast-check'
import { base64url } from 'jose'
import { describe, expect, test } from 'vitest'
import { type LauncherFacts, launchSchema, startLaunch } from '../launch.ts'
import { presets } from '../presets.ts'
import { strangerOf } from '../request.ts'
import { fragmentOf, launchOfFragment } from './link.ts'

const facts: LauncherFacts = {
  address: 'http://localhost:4000/partner/payload',
  issuer: 'https://journal.example',
  keyId: 'journal',
  publicKey: { kty: 'EC' },
  claims: { organizationId: 'o-1', employeeId: 'e-1', contact: { id: 'c-1' } },
}
const start = startLaunch(facts)

const linkOf = (members: unknown) => `#${base64url.encode(JSON.stringify(members))}`

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

describe('a link to the launcher', () => {
  test('reproduces each preset', () => {
    for (const [preset, { change }] of Object.entries(presets)) {
      // JSON has no undefined.
      const changed = JSON.parse(JSON.stringify({ ...change?.(start), preset }))
      const launch = launchSchema.parse({ ...start, ...changed })
      expect(launchOfFragment(fragmentOf(launch, facts), facts)).toEqual({ launch, problem: undefined })
    }
    expect(launchOfFragment('', facts)).toEqual({ launch: start, problem: undefined })
  })

  test.each<[string, unknown]>([
    ['algorithm', "ES256'}); process.exit(9) //"],
    ['algorithm', 'toString'],
    ['algorithm', 1],
    ['key', 'journal'],
    ['address', 'javascript:alert(1)'],
    ['address', 'file:///etc/passwd'],
    ['address', 'https:sso.example'],
    ['address', 'https:///sso.example'],
    ['address', 'https://sso.example\\@other.example/'],
    ['address', 'https://localhost:4000@other.example/'],
    ['address', 'https://sso.example/a b'],
    ['address', `https://sso.example/${'x'.repeat(3000)}`],
    ['address', 1],
    ['claims', []],
    ['claims', null],
    ['claims', deep(70)],
    ['keyId', 'x'.repeat(2000)],
    ['keyId', {}],
    ['issuer', null],
    ['audience', []],
    ['tokenId', 7],
    ['skewSeconds', '1'],
    ['skewSeconds', 1e300],
    ['livesSeconds', 0.5],
    ['notBeforeSeconds', 1],
    ['leftOut', {}],
    ['leftOut', ['alg']],
    ['leftOut', Array(7).fill('exp')],
    ['preset', 'toString'],
    ['preset', { times: 1e9 }],
    ['isRegistered', 'yes'],
    ['send', { path: '@other.example/' }],
    ['registration', { keySetUrl: 'https://other.example/' }],
    ['other', 1],
    ['__proto__', { algorithm: 'x' }],
    ['constructor', 1],
  ])('leaves out %s with %j, and says so', (name, value) => {
    const members = JSON.parse(`{"livesSeconds":30,${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    const { launch, problem } = launchOfFragment(linkOf(members), facts)
    expect(launch).toEqual(name === 'livesSeconds' ? start : { ...start, livesSeconds: 30 })
    expect(problem).toBe(`This link has values that are unknown or not allowed. They are left out: ${name}.`)
  })

  test.each([
    '#x',
    '#%%%',
    linkOf([]),
    linkOf(null),
    linkOf('text'),
    `#${'a'.repeat(200_000)}`,
    `#${base64url.encode(new Uint8Array([0x22, 0xff, 0x22]))}`,
  ])('shows the start for one that cannot be read, and says so', fragment => {
    expect(launchOfFragment(fragment, facts)).toEqual({
      launch: start,
      problem: 'This link cannot be read. The page shows the start.',
    })
  })

  test('never brings a launch that the schema refuses', () => {
    const members = fc.dictionary(fc.constantFrom(...Object.keys(start)), fc.jsonValue())
    fc.assert(
      fc.property(members, given => {
        const { launch, problem } = launchOfFragment(linkOf(given), facts)
        expect(launchSchema.safeParse(launch).success).toBe(true)
        const kept = Object.entries(given).filter(
          ([name, value]) => JSON.stringify(Reflect.get(launch, name)) === JSON.stringify(value),
        )
        if (kept.length < Object.keys(given).length) expect(problem).toBeDefined()
      }),
    )
  })
})

const elsewhere = 'https://other.example/'

test.each([
  ['the demo’s service', {}, undefined],
  ['another path of it', { preset: 'ERR_LINK_GONE' as const }, undefined],
  ['another audience, sent to the demo’s service', { audience: elsewhere }, undefined],
  ['another host', { address: elsewhere }, { audience: elsewhere }],
  [
    'another host with the service’s audience',
    { address: elsewhere, audience: facts.address },
    { audience: facts.address },
  ],
  [
    'another host without audience',
    { address: elsewhere, leftOut: ['aud' as const] },
    { audience: undefined },
  ],
  ['another port', { address: 'http://localhost:4001/partner/payload' }, {}],
  ['another scheme', { address: 'https://localhost:4000/partner/payload' }, {}],
  ['a name before the host', { address: 'http://localhost:4000@other.example/' }, {}],
  ['no address', { address: 'x' }, {}],
  [
    'a letter that looks like another',
    { address: 'http://localh\u043est:4000/partner/payload' },
    { target: expect.stringMatching(/^http:\/\/xn--[a-z\d-]+:4000\/partner\/payload$/) },
  ],
  [
    'a sign that looks like a slash',
    { address: 'http://localhost\u2044partner.other.example/payload' },
    { target: expect.stringMatching(/^http:\/\/xn--[a-z\d.-]+\/payload$/) },
  ],
  [
    'an aud that looks like another',
    { address: elsewhere, audience: 'http://localh\u043est:4000/' },
    { audience: expect.stringMatching(/^http:\/\/xn--[a-z\d-]+:4000\/$/) },
  ],
  ['an aud that is no address', { address: elsewhere, audience: 'my service' }, { audience: 'my service' }],
])('asks before it sends: %s', (_name, change, question) => {
  const stranger = strangerOf({ ...start, ...change }, facts)
  if (question === undefined) expect(stranger).toBeUndefined()
  else expect(stranger).toMatchObject(question)
})
