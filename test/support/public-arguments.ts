import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ClosingError, isServiceLinkError } from '../../packages/protocol-core/src/index.ts'

export const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const privatePem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
export const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))

/** The error of a call that is aborted at once. */
export const givenUp = new ClosingError()

/** Options with which a call ends at once, unless they are the probe. */
export const unlessAborted = (options: unknown) =>
  typeof (options ?? {}) === 'object' && options !== null && Object.values(options ?? {}).every(isAbsent)
    ? { ...options, signal: AbortSignal.abort(givenUp) }
    : options

const isAbsent = (value: unknown) => value === undefined

/** Wrong values that a caller without types may give. */
const probes = {
  undefined: undefined,
  null: null,
  text: 'pw-8f3b61c07a',
  number: 918273645,
  'an empty object': {},
  'a private key': privatePem,
}

type ProbeName = keyof typeof probes
const probeNames = Object.keys(probes) as ProbeName[]

/** The probes that may be correct where a table says the kind. `other` is every kind of which no probe is. */
const kinds: Readonly<Record<string, readonly ProbeName[]>> = {
  text: ['text', 'a private key'],
  word: ['text'],
  pem: ['a private key'],
  number: ['number'],
  milliseconds: ['number'],
  seconds: ['number'],
  count: ['number'],
  object: ['an empty object'],
  null: ['null'],
  any: probeNames,
  other: [],
}

/** Wrong numbers for each kind with a unit, as a caller in a hurry gives them. */
const wrongMeasures: Readonly<Record<string, readonly unknown[]>> = {
  milliseconds: [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '30000', '3s', null],
  seconds: [0, 301, 1.5, Number.NaN, '60'],
  count: [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'],
}

/**
 * A correct value and its type, written nearly as in TypeScript: `text`, or `{ id: text, clock?, ... }`. A member without
 * a kind is `other`; `...` allows members that are not listed. A name that ends with `?` may be left out.
 */
type Parameter = readonly [right: unknown, type: string]

interface PublicFunction {
  /** The parameters by name, in their order. */
  readonly takes: Readonly<Record<string, Parameter>>
  /** Default: the export that the first word of the name says. */
  readonly call?: (...given: never[]) => unknown
  /** Whether its checks are brief, without a near name, because its bundle must stay small. */
  readonly isBrief?: boolean
  /** The error, or its code, of a call with correct arguments. Default: none. */
  readonly ends?: unknown
}

/** The type of a launch's person. */
export const launchPerson: Parameter = [
  { customId: '1', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' },
  '{ customId: text, firstname: text, lastname: text, dateOfBirth, userId?: number, email?: text, profileData? }',
]

/**
 * Tests that each exported function of a package refuses wrong arguments, unknown members and promises with a typed
 * error, and never repeats their values.
 *
 * @param unchecked names of the functions that only packages of this repository call, or that check nothing
 */
export async function testPublicFunctions(
  packageName: string,
  table: Readonly<Record<string, PublicFunction>>,
  unchecked = '',
): Promise<void> {
  const exported = await exportedFunctions(packageName)

  test('every exported function is in the table', () => {
    const missing = Object.keys(exported).filter(name => !Object.hasOwn(table, name))
    expect(missing.sort()).toEqual((unchecked.match(/\w+/g) ?? []).sort())
  })

  describe.each(Object.entries(table))(
    '%s',
    (name, { takes, call = exported[name.split(' ')[0] ?? ''], isBrief, ends }) => {
      const given = Object.values(takes).map(([right]) => right)
      const failureOf = async (position: number, value: unknown) => {
        try {
          await Reflect.apply(Object(call), undefined, position < 0 ? given : given.with(position, value))
          return undefined
        } catch (failure) {
          return failure
        }
      }

      const expectEnd = (end: unknown) =>
        typeof ends === 'string' ? expect(end).toMatchObject({ code: ends }) : expect(end).toBe(ends)

      test('accepts valid arguments', async () => {
        expectEnd(await failureOf(-1, undefined))
      })

      test.each(
        Object.entries(takes).map(([name, parameter], index) => [name, index, ...parameter] as const),
      )('%s', async (name, position, right, type) => {
        const { parameter, taken, members, measures, isOpen } = readParameter(name, type)
        for (const probe of probeNames) {
          const failure = await failureOf(position, probes[probe])
          if (taken.includes(probe) && failure === undefined) continue
          expectTyped(failure, probe)
          // The error names the missing member of an empty object.
          const names = [parameter, ...(probe === 'an empty object' ? Object.keys(members) : [])]
          if (!taken.includes(probe))
            expect(String(failure)).toMatch(new RegExp(`\\b(${names.join('|')})\\b`))
        }
        expectNoPromise(await failureOf(position, Promise.resolve(right)))
        const optional = Object.keys(members).filter(member => members[member]?.includes('undefined'))
        if (optional.length > 0) {
          const leftOut = Object.fromEntries(optional.map(member => [member, undefined]))
          expectEnd(await failureOf(position, { ...leftOut, ...Object(right) }))
        }

        const having = (member: string, value: unknown) =>
          failureOf(position, { ...Object(right), [member]: value })
        for (const [member, rightProbes] of Object.entries(members)) {
          for (const probe of probeNames.filter(one => !rightProbes.includes(one)))
            expectTyped(await having(member, probes[probe]), probe, member)
          if (!isBrief && !rightProbes.includes('null'))
            expectNoPromise(await having(member, Promise.resolve(Object(right)[member])), member)
        }
        for (const [member, kind] of Object.entries(measures))
          for (const value of wrongMeasures[kind] ?? []) {
            const given = typeof value === 'number' ? value : `of type ${typeof value}`
            const place = `${parameter}.${member}`
            const failure = await having(member, value)
            expect(failure, place).toMatchObject({ code: 'ERR_PARAMETER', parameter: place })
            expect(String(failure)).toMatch(new RegExp(`must be a .* from 1 to \\d+, not ${given}\\.$`))
          }
        if (isOpen) return
        for (const value of [privatePem, undefined])
          for (const [wrong, problem] of [
            ['notKnown', /\bnotKnown is not known/],
            ...Object.keys(isBrief ? {} : members).map(
              near => [near.toUpperCase(), new RegExp(`Did you mean ${near}\\?`)] as const,
            ),
          ] as const) {
            const failure = await having(wrong, value)
            expectTyped(failure, 'a private key', wrong)
            expect(failure).toMatchObject({ code: 'ERR_PARAMETER', message: expect.stringMatching(problem) })
          }
      })
    },
  )
}

/** The functions of all entries of a package, by name. */
async function exportedFunctions(packageName: string) {
  const folder = new URL(`../../packages/${packageName}/`, import.meta.url)
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const functions: Record<string, (...given: never[]) => unknown> = {}
  // The receiver gives the steps what it has checked.
  for (const [name, { '@service-link/source': source }] of Object.entries<Record<string, string>>(exports))
    if (source && name !== './steps')
      for (const [key, value] of Object.entries(await import(new URL(source, folder).pathname)))
        if (typeof value === 'function' && !/^class/.test(`${value}`)) functions[key] = value as never
  return functions
}

/** Reads the type of a parameter: the probes that may be correct in its place, and in each of its members. */
function readParameter(name: string, type: string) {
  const list = /^\{(.*)\}$/.exec(type)?.[1]
  const written = (list ?? '').split(',').map(one => one.trim())
  const members = Object.fromEntries(
    written
      .filter(one => one !== '' && one !== '...')
      .map(one => {
        const [member = '', kind = 'other'] = one.split(': ')
        return [member.replace('?', ''), probesOf(member, kind)]
      }),
  )
  const measures = [...type.matchAll(/(\w+)\??: (milliseconds|seconds|count)\b/g)]
  // Without a member that is required, an empty object is correct.
  const isEmptyRight = Object.values(members).every(right => right.includes('undefined'))
  return {
    parameter: name.replace('?', ''),
    taken: probesOf(name, list === undefined ? type : isEmptyRight ? 'object' : 'other'),
    members,
    measures: Object.fromEntries(measures.map(([, member = '', kind = '']) => [member, kind])),
    isOpen: list === undefined || written.includes('...'),
  }
}

function probesOf(name: string, kind: string): readonly ProbeName[] {
  return [
    ...kind.split('|').flatMap(one => kinds[one] ?? []),
    ...(name.endsWith('?') ? (['undefined'] as const) : []),
  ]
}

/** Expects a typed error without the value of the probe. */
function expectTyped(failure: unknown, probe: ProbeName, member = ''): void {
  const place = `${probe} as ${member || 'argument'}`
  expect(failure, place).toBeInstanceOf(Error)
  const everything = `${inspect(failure, { depth: 20, showHidden: true, getters: true })}${String(Object(failure).stack)}`
  for (const line of String(probes[probe] ?? '').match(/.+/g) ?? [])
    expect(everything, place).not.toContain(line)
  expect(isServiceLinkError(failure), `${place}: an error of ours, instead of ${everything}`).toBe(true)
  expect(failure).toMatchObject({ code: expect.stringMatching(/^ERR_[A-Z_]+$/) })
}

/** Expects a typed error, which says the sentence about promises where it is the error of a parameter. */
function expectNoPromise(failure: unknown, member = ''): void {
  expect(isServiceLinkError(failure), `a promise as ${member || 'argument'}: ${failure}`).toBe(true)
  if (Object(failure).code === 'ERR_PARAMETER') expect(String(failure)).toContain('is a promise: await it.')
}
