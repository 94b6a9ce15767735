import { generateKeyPairSync } from 'node:crypto'
import { inspect, isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ClosingError, isServiceLinkError } from '../../packages/protocol-core/src/index.ts'

export const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const privatePem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
export const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))

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
export const probeNames: readonly ProbeName[] = [
  'undefined',
  'null',
  'text',
  'number',
  'an empty object',
  'a private key',
]
export const texts: readonly ProbeName[] = ['text', 'a private key']
export const optional: readonly ProbeName[] = ['undefined']
export const optionalText: readonly ProbeName[] = [...texts, ...optional]
export const optionalNumber: readonly ProbeName[] = [...optional, 'number']
export const optionalObject: readonly ProbeName[] = [...optional, 'an empty object']

/** The error of a call that is aborted at once. */
export const givenUp = new ClosingError()

/** Options with which a call ends at once, unless they are the probe. */
export const unlessAborted = (options: unknown) =>
  isDeepStrictEqual(options ?? {}, {}) && options !== null ? { signal: AbortSignal.abort(givenUp) } : options

/** One argument of a call. */
export interface Argument {
  readonly parameter: string
  /** A correct value. */
  readonly right: unknown
  /** Probes of the correct type: an error about them need not name the parameter. Default: none. */
  readonly takes?: readonly ProbeName[]
  /** Members of an object, each with the probes that are correct there. */
  readonly members?: Readonly<Record<string, readonly ProbeName[]>>
  /** Whether a plain object may have properties that are not known, such as an environment. Default: it may not. */
  readonly isOpen?: boolean
}

/** The person of a launch, as an argument of its own. */
export const launchPerson: Argument = {
  parameter: 'person',
  right: { customId: '1', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' },
  takes: optional,
  members: {
    customId: texts,
    firstname: texts,
    lastname: texts,
    dateOfBirth: [],
    userId: optionalNumber,
    email: optionalText,
    profileData: optional,
  },
}

/** One exported function with arguments. */
interface PublicFunction {
  readonly name: string
  readonly call: (...given: never[]) => unknown
  readonly args: readonly Argument[]
  /** The error, or its code, of a call with correct arguments. Default: none. */
  readonly ends?: unknown
}

/**
 * Tests that each function refuses wrong arguments and unknown properties with a typed error, and never repeats their
 * values.
 */
export function testPublicFunctions(functions: readonly PublicFunction[]): void {
  describe.each(functions)('$name', ({ call, args, ends }) => {
    const given = args.map(argument => argument.right)

    test('accepts valid arguments', async () => {
      const end = await failureOf(call, given)
      if (typeof ends === 'string') expect(end).toMatchObject({ code: ends })
      else expect(end).toBe(ends)
    })

    describe.each(args)('$parameter', ({ parameter, right: own, takes = [], members = {}, isOpen }) => {
      const position = args.findIndex(argument => argument.parameter === parameter)

      test.each(probeNames)('%s in its place is refused without its value', async probe => {
        const failure = await failureOf(call, given.with(position, probes[probe]))
        if (takes.includes(probe) && failure === undefined) return
        expectTyped(failure, probe)
        // The error names the missing member of an empty object.
        const names = [parameter, ...(probe === 'an empty object' ? Object.keys(members) : [])]
        if (!takes.includes(probe)) expect(String(failure)).toMatch(new RegExp(`\\b(${names.join('|')})\\b`))
      })

      test('a promise in its place is refused', async () => {
        const failure = await failureOf(call, given.with(position, Promise.resolve(own)))
        expectTyped(failure, 'null')
      })

      test.runIf(isPlain(own) && !isOpen)('an unknown property is refused by name', async () => {
        for (const value of [privatePem, undefined]) {
          const failure = await failureOf(call, given.with(position, { ...Object(own), notKnown: value }))
          expectTyped(failure, 'a private key')
          expect(failure).toMatchObject({
            code: 'ERR_PARAMETER',
            message: expect.stringMatching(/\bnotKnown is not known/),
          })
        }
      })

      test.each(Object.entries(members))(
        'a wrong %s in it is refused without its value',
        async (member, right) => {
          for (const probe of probeNames.filter(name => !right.includes(name))) {
            const wrong = { ...Object(own), [member]: probes[probe] }
            expectTyped(await failureOf(call, given.with(position, wrong)), probe)
          }
        },
      )
    })
  })
}

const isPlain = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

async function failureOf(call: PublicFunction['call'], given: readonly unknown[]): Promise<unknown> {
  try {
    await Reflect.apply(call, undefined, given)
    return undefined
  } catch (failure) {
    return failure
  }
}

/** Expects a typed error without the value of the probe. */
function expectTyped(failure: unknown, probe: ProbeName): void {
  expect(failure, 'what was thrown').toBeInstanceOf(Error)
  const everything = `${inspect(failure, { depth: 20, showHidden: true, getters: true })}${String(Object(failure).stack)}`
  for (const line of String(probes[probe]).split('\n'))
    if (!(probe === 'undefined' || probe === 'null' || line === '')) expect(everything).not.toContain(line)
  expect(isServiceLinkError(failure), `an error of ours, instead of ${everything}`).toBe(true)
  expect(failure).toMatchObject({ code: expect.stringMatching(/^ERR_[A-Z_]+$/) })
}
