import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanEvent, describeEvent, levelOf, type WrapperEvent } from './events.ts'

/** One of each event. The compiler requires all events and facts. */
const events: {
  readonly [Type in WrapperEvent['type']]: Omit<Extract<WrapperEvent, { type: Type }>, 'type'>
} = {
  started: { version: '3.0.0.0', engine: 'Chromium', pipe: String.raw`\\.\pipe\servicepipe.4711` },
  'start-failed': { code: 'ERR_ENGINE', reason: 'not-available' },
  'browser-forbidden': {
    browser: 'msedge',
    policies: String.raw`BrowserSignin (HKLM\Software\Policies\Microsoft\Edge), URLBlocklist (/etc/a/policies/b.json)`,
  },
  closing: {},
  'pipe-taken': { pipe: String.raw`\\.\pipe\servicepipe.4711` },
  'pipe-absent': { reason: 'EACCES' },
  'connection-failed': { reason: 'EMFILE' },
  'web-app-unconnected': { origin: 'https://app.example' },
  'hand-off-taken': {},
  crashed: { kind: 'TypeError' },
  'setting-ignored': { setting: 'Zoom', problem: 'must be empty or a number' },
  'configuration-exposed': { of: 'file', problem: 'may be changed by other users (chmod go-w)' },
  'settings-unknown': { names: 'Maximized, AdfsUrl' },
  'variables-ignored': { names: 'SERVICE_WRAPPER_ROOT, SERVICE_BROWSER' },
  'settings-damaged': {},
  'settings-carried-over': { fromVersion: '2.1.4.19787' },
  'settings-unsaved': { code: 'ERR_CONFIG_FILE' },
  'log-detailed': {},
  'log-unwritable': { reason: 'ENOSPC' },
  'field-dropped': { source: 'command line', field: 'gender', problem: 'must be female, male, F or M' },
  'field-noted': {
    source: 'XML file',
    field: 'born',
    problem: 'was read as DD.MM.YYYY, the order of the culture nb-NO',
  },
  'launch-taken': { launchId: '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f' },
  'launch-done': { launchId: '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f' },
  'launch-refused': { launchId: '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f', code: 'ERR_PROVIDER_MODULE' },
  'launch-failed': { launchId: '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f', code: 'ERR_ARGS' },
  'launch-leftover': { launchId: '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f', code: 'ERR_XML_FILE' },
  exchange: {
    exchange: 17,
    kind: 'frame',
    direction: 'in',
    name: 'selectperson',
    connection: 3,
    bytes: 120,
    args: 'customid text 4, ? list 2',
    outcome: 'ok',
    durationMs: 3.2,
    replyBytes: 40,
  },
  'web-app-connected': { isSignedIn: true },
  'signed-in': {},
  'signed-out': { by: 'tray' },
  'unsaved-lost': { length: 1_048_577, most: 1_048_576 },
  'sign-out-failed': { reason: 'refused' },
  'page-unreachable': { origin: 'https://app.example', reason: 'net::ERR_NAME_NOT_RESOLVED' },
  'page-reachable': { origin: 'https://app.example' },
  'page-crashed': {},
  'page-hung': {},
  'page-restarted': {},
  'page-given-up': {},
  'engine-lost': {},
  'engine-restarted': {},
  'engine-given-up': {},
  'sign-on-refused': { status: 403 },
  'page-message-unclear': { places: 'person.firstname' },
  'page-protocol': { spoken: 2, wanted: 1 },
  'tray-absent': { reason: 'no D-Bus session' },
  'tray-reopened': {},
  'tray-lost': {},
  'window-unhidable': { engine: 'Chromium' },
  'own-function-failed': { of: 'openExternal', kind: 'TypeError' },
  'installation-unnoted': { reason: 'ENOSPC' },
  'update-available': { version: '3.1.0.0' },
  'update-check-failed': { reason: 'ETIMEDOUT' },
}

const all = Object.entries(events).map(([type, facts]) => ({ type, ...facts }) as WrapperEvent)

/** Every event, with this text in place of each text fact. */
function allWith(text: string): readonly WrapperEvent[] {
  return all.map(
    event =>
      Object.fromEntries(
        Object.entries(event).map(([name, fact]) => [
          name,
          name === 'type' || typeof fact !== 'string' ? fact : text,
        ]),
      ) as unknown as WrapperEvent,
  )
}

/** The log line and the sentence of an event. */
function written(event: WrapperEvent): readonly string[] {
  return [JSON.stringify(cleanEvent(event)), describeEvent(event) ?? '']
}

const token = `eyJhbGciOiJSUzI1NiJ9.${'eyJzdWIiOiI0NzExIn0'.repeat(5)}.${'c2lnbmF0dXJl'.repeat(10)}`

describe.each(all)('the event $type', event => {
  test('is written unchanged when its facts follow their contract', () => {
    expect(cleanEvent(event)).toEqual(event)
  })

  test('has a sentence with its facts if it is a warning or an error', () => {
    const sentence = describeEvent(event)
    expect(sentence === undefined).toBe(['info', 'debug'].includes(levelOf(event)))
    if (sentence === undefined) return
    expect(sentence).toMatch(/^[A-Z][^\n]+$/)
    for (const [name, fact] of Object.entries(event))
      if (name !== 'type' && typeof fact !== 'boolean') expect(sentence).toContain(String(fact))
  })
})

describe('no event', () => {
  test.each([
    ['a page’s path', 'cannot open https://app.example/person/4711?ssn=01019012345#top', ['4711', 'ssn']],
    ['an address with a password', 'wss://ola:geheim@app.example/', ['ola', 'geheim']],
    [
      'a path of a file',
      String.raw`cannot read C:\Users\nordmann\in.xml, \\files\nordmann, file:/nordmann, (/home/nordmann/x) or:/nordmann`,
      ['nordmann'],
    ],
    ['a token', `refused: ${token}`, [token.slice(0, 16), token.slice(-12)]],
  ])('carries %s', (_title, text, secrets) => {
    for (const line of allWith(text).flatMap(written))
      for (const secret of secrets) expect(line).not.toContain(secret)
  })

  test.each([
    ['launchId', 'Ola Nordmann 1980'],
    ['code', 'eyJhbGciOi.abc'],
    ['code', 'ERR_ARGS of Ola'],
  ])('carries words or a token in the place of %s: %j', (name, fact) => {
    for (const event of all.filter(event => name in event))
      for (const line of written({ ...event, [name]: fact } as WrapperEvent)) {
        expect(line).not.toContain(fact)
        if (line !== '') expect(line).toContain('unclear')
      }
  })

  test('exceeds a line of bounded length, for any facts', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.constantFrom('a\nb', '\u2028', '\u001b[31m', '\u202eabc', '\0', 'x'.repeat(10_000)),
    )
    fc.assert(
      fc.property(texts, text => {
        for (const event of allWith(text)) {
          for (const line of written(event)) {
            expect(line.length).toBeLessThan(1000)
            expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('loses the beginning of a long fact', () => {
    const reason = `begins ${'word '.repeat(400)}`
    const event = cleanEvent({ type: 'page-unreachable', origin: 'https://app.example', reason })
    expect(event).toMatchObject({ reason: expect.stringMatching(/^begins word .*…$/) })
  })

  test('fails for a fact of another type', () => {
    for (const event of all) {
      for (const fact of [undefined, null, 4711n, {}, Object.create(null), Symbol('x'), [], () => 'Ola'])
        expect(() =>
          describeEvent({
            ...event,
            reason: fact,
            code: fact,
            origin: fact,
            status: fact,
          } as unknown as WrapperEvent),
        ).not.toThrow()
    }
  })
})
