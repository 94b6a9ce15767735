import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  type ArgsIssue,
  commandNames,
  contactSchema,
  decodeRequest,
  defaultBrand,
  defineBrand,
  findCommandName,
  isServiceLinkError,
  issuesOf,
  parseClassicCommand,
  parseCommand,
  parseDate,
  parseSessionCall,
  parseVersion,
  payloadSchema,
  readClassicReply,
  readPersonFields,
  readSessionMessage,
  readSessionResult,
  type SessionMethodName,
  sessionMethods,
  settingsTable,
  writeClassicFailure,
  writeSessionFailure,
} from '../src/index.ts'

/** A text that no message could contain by chance. */
const secrets = fc.stringMatching(/^[A-Z]{3}[0-9]{8}[a-z]{3}$/)

/** Values of several types that contain a secret. */
const values = secrets.chain(secret =>
  fc.record({
    secret: fc.constant(secret),
    value: fc.constantFrom<unknown>(
      secret,
      ` ${secret} `,
      [secret],
      { a: secret },
      `${secret}-02-30`,
      secret.repeat(400),
    ),
  }),
)

/** Everything that a log line or a reply could show of an error. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = JSON.stringify(Object.fromEntries(Object.entries(error)))
  return `${error.name} ${error.message} ${error.stack} ${own} ${everythingIn(error.cause)}`
}

function failureOf(call: () => unknown): string {
  try {
    call()
    return ''
  } catch (error) {
    expect(isServiceLinkError(error)).toBe(true)
    if (!isServiceLinkError(error)) return everythingIn(error)
    return everythingIn(error) + writeClassicFailure(error) + writeSessionFailure(1, error)
  }
}

function isMethodName(name: string): name is SessionMethodName {
  return name in sessionMethods
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('no error contains the offending value', () => {
  /** Reads objects with these names and values that hold secrets. */
  function expectKept(names: string, read: (given: Readonly<Record<string, unknown>>) => unknown): void {
    const entries = fc.array(fc.tuple(fc.constantFrom(...names.split(' ')), values), { minLength: 1 })
    fc.assert(
      fc.property(entries, given => {
        const shown = failureOf(() =>
          read(Object.fromEntries(given.map(([name, { value }]) => [name, value]))),
        )
        for (const [, { secret }] of given) expect(shown).not.toContain(secret)
      }),
    )
  }

  const culture = 'nb-NO'

  test.each(commandNames)('arguments of %s', name => {
    const names = 'id customid userid from text gender dateofbirth profiledata firstname email'
    expectKept(names, args => parseCommand(name, args, { culture }))
  })

  test('members of profile data', () => {
    const person = { customid: '1', firstname: 'a', lastname: 'b' }
    expectKept('key Key name value unit date source description', entry =>
      parseCommand('selectperson', { ...person, profiledata: [entry] }, { culture }),
    )
  })

  test('requests and replies, complete or cut off', () => {
    const parse = (body: Uint8Array) => parseClassicCommand(decodeRequest(body), { culture })
    fc.assert(
      fc.property(values, fc.nat(200), ({ secret, value }, cut) => {
        for (const body of [
          { Method: value },
          { Method: 'hide', Args: value },
          value,
          { status: value, userid: value },
        ]) {
          const text = JSON.stringify(body)
          for (const part of [text, text.slice(0, cut)]) {
            expect(failureOf(() => parse(bytes(part)))).not.toContain(secret)
            expect(failureOf(() => readClassicReply('selectperson', bytes(part)))).not.toContain(secret)
          }
        }
      }),
    )
  })

  test('requests, replies and events of the session mode, complete or cut off', () => {
    const calls = fc.constantFrom(...commandNames, ...Object.keys(sessionMethods).filter(isMethodName))
    const parse = (body: Uint8Array) => parseSessionCall(decodeRequest(body), { culture })
    fc.assert(
      fc.property(values, calls, fc.nat(200), ({ secret, value }, name, cut) => {
        for (const body of [
          { Id: [value], Method: name },
          { Id: 1, Method: value },
          { Id: 1, Method: name, Args: value },
          { Id: 1, Method: name, method: value },
          { Id: 1, Method: name, Args: { id: [value], events: value, text: [value] } },
          { Id: 1, Result: value },
          { Id: [value], Result: value },
          { Event: 'personselected', Data: value },
          { Event: 'workoutopened', Data: { id: value } },
        ]) {
          const text = JSON.stringify(body)
          for (const part of [text, text.slice(0, cut)]) {
            expect(failureOf(() => parse(bytes(part)))).not.toContain(secret)
            expect(failureOf(() => readSessionMessage(bytes(part)))).not.toContain(secret)
          }
        }
        expect(failureOf(() => readSessionResult(name, { ...Object(value) }))).not.toContain(secret)
      }),
      { numRuns: 40 },
    )
  })

  test('claims of the partner link', () => {
    const claims = fc.constantFrom('organizationId', 'employeeId', 'contact', 'employeeEmail')
    const members = fc.constantFrom('id', 'birthdate', 'ssn', 'gender', 'firstname')
    fc.assert(
      fc.property(claims, members, values, (claim, member, { secret, value }) => {
        for (const [schema, input] of [
          [payloadSchema, { [claim]: value }],
          [payloadSchema, { contact: { [member]: value } }],
          [contactSchema, { [member]: value }],
        ] as const) {
          const { error } = schema.safeParse(input)
          expect(JSON.stringify(error ? issuesOf(error) : [])).not.toContain(secret)
        }
      }),
    )
  })

  test('dates, versions, method names, brand options and settings', () => {
    const settings = z.object(
      Object.fromEntries(
        Object.entries(settingsTable(defaultBrand)).map(([name, { parse }]) => [name, parse]),
      ),
    )
    fc.assert(
      fc.property(secrets, secret => {
        expect(failureOf(() => parseDate(secret, 'nb-NO'))).not.toContain(secret)
        expect(failureOf(() => parseVersion(secret))).not.toContain(secret)
        expect(failureOf(() => findCommandName(secret))).not.toContain(secret)
        expect(failureOf(() => defineBrand({ appUrl: secret }))).not.toContain(secret)
        const { error } = settings.safeParse(
          Object.fromEntries(Object.keys(settings.shape).map(name => [name, secret])),
        )
        expect(JSON.stringify(error ? issuesOf(error) : [])).not.toContain(secret)
        const dropped: ArgsIssue[] = []
        const { issues } = readPersonFields(
          { a: secret, b: secret },
          [
            { field: 'gender', name: 'a' },
            { field: 'dateOfBirth', name: 'b', isRequired: true },
          ],
          { culture, onDropped: issue => dropped.push(issue) },
        )
        expect([...issues, ...dropped]).toHaveLength(2)
        expect(JSON.stringify([...issues, ...dropped])).not.toContain(secret)
      }),
    )
  })
})
