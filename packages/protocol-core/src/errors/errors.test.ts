import { describe, expect, test } from 'vitest'
import {
  ArgsError,
  BusyError,
  CancelledError,
  ClosingError,
  CommandTimeoutError,
  commandErrorCodes,
  FrameError,
  JsonError,
  MethodError,
  NotFoundError,
  NotSignedInError,
  SupersededError,
  WebAppError,
} from './command-error.ts'
import { defineError, defineErrorOf, isServiceLinkError, ServiceLinkError } from './define-error.ts'
import { assertMeasure, assertParameter, ParameterError, type ParameterKind } from './parameter-error.ts'

const all = [
  new FrameError('x', 3),
  new JsonError('x'),
  new MethodError('x'),
  new ArgsError([{ path: 'id', problem: 'is missing' }]),
  new NotFoundError('x'),
  new NotSignedInError(),
  new CommandTimeoutError(30_000),
  new WebAppError('x'),
  new ClosingError(),
  new BusyError('x'),
  new CancelledError(),
  new SupersededError(),
]

describe('errors of commands', () => {
  test('each code has one class', () => {
    expect(all.map(error => error.code)).toEqual(commandErrorCodes)
  })

  test('facts are fields', () => {
    expect(new FrameError('x', 3).declaredBytes).toBe(3)
    expect(new CommandTimeoutError(30_000)).toMatchObject({
      waitedMs: 30_000,
      message: expect.stringContaining('30000 ms'),
    })
  })
})

describe('defineError', () => {
  test('makes a class with sentence, facts, and the name of its code', () => {
    class Minified extends defineError('ERR_DOOR_OPEN', (door: number) => ({
      message: `Door ${door} is open.`,
      door,
    })) {}
    const error = new Minified(3)
    expect(error).toBeInstanceOf(ServiceLinkError)
    expect(error.stack).toMatch(/^DoorOpenError: Door 3 is open\.\n/)
    expect(JSON.stringify(error)).toBe('{"code":"ERR_DOOR_OPEN","door":3}')
    expect(Minified.code satisfies 'ERR_DOOR_OPEN').toBe(error.code satisfies 'ERR_DOOR_OPEN')
  })

  test('takes the sentence from the definition or the caller', () => {
    class Fixed extends defineError('ERR_FIXED', 'Closed.') {}
    class Free extends defineError('ERR_FREE') {}
    class Told extends defineError(
      'ERR_TOLD',
      (what: string) => ({ message: `${what} failed.` }),
      'OtherName',
    ) {}
    const errors = [new Fixed(), new Fixed('Shut.'), new Free('Open.'), new Told('It')]
    expect(errors.map(String)).toEqual([
      'FixedError: Closed.',
      'FixedError: Shut.',
      'FreeError: Open.',
      'OtherName: It failed.',
    ])
  })

  test('leads to the error index; an error of another program does not', () => {
    class AwayError extends ServiceLinkError<'ERR_AWAY'> {
      readonly code = 'ERR_AWAY'
    }
    expect(new ClosingError().docsUrl).toMatch(/^https:.*\/errors#err_closing$/)
    expect(new AwayError('Away.').docsUrl).toBeUndefined()
  })

  test('extends a base', () => {
    class Busy extends defineErrorOf(BusyError)('ERR_BUSY') {}
    expect(new Busy('x')).toBeInstanceOf(BusyError)
  })
})

describe('isServiceLinkError', () => {
  test.each([
    ['an error of Node', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['an error of another library', Object.assign(new Error('x'), { code: 'ERR_JWT_EXPIRED' })],
    ['an object that looks like one', { code: 'ERR_ARGS', message: 'x' }],
    ['nothing', undefined],
    ['a text', 'ERR_ARGS'],
  ])('%s is not one', (_, value) => {
    expect(isServiceLinkError(value)).toBe(false)
  })

  test('an error of a second copy of the package is one', async () => {
    const url = new URL('./command-error.ts', import.meta.url)
    const copy: { JsonError: typeof JsonError } = await import(`${url.href}?second-copy`)
    expect(copy.JsonError).not.toBe(JsonError)
    expect(isServiceLinkError(new copy.JsonError('x'))).toBe(true)
  })
})

describe('ArgsError', () => {
  test('names place and fault; without a place the whole input', () => {
    expect(new ArgsError([{ path: 'id', problem: 'is missing' }]).message).toBe(
      'Arguments not accepted: id is missing.',
    )
    expect(new ArgsError([{ path: '', problem: 'Args must be an object' }], 'Request').message).toBe(
      'Request not accepted: Args must be an object.',
    )
  })

  test('lists at most ten issues in its message and keeps all as facts', () => {
    const issues = Array.from({ length: 10_000 }, (_, index) => ({
      path: `p.${index}`,
      problem: 'is missing',
    }))
    const error = new ArgsError(issues)
    expect(error.message).toMatch(/p\.9 is missing; 9990 more\.$/)
    expect(error.issues).toHaveLength(10_000)
  })
})

describe('assertParameter', () => {
  test.each<[unknown, ParameterKind, string]>([
    [7, 'text', 'text'],
    [null, 'text?', 'text'],
    ['7', 'number', 'a finite number'],
    [Number.NaN, 'number?', 'a finite number'],
    ['true', 'boolean', 'true or false'],
    [{}, 'function?', 'a function'],
    [null, 'object', 'an object'],
    [[], 'object?', 'an object'],
    [{ length: 1 }, 'list', 'a list'],
    [() => Date.now(), 'clock', 'a function that returns a Date'],
    [() => new Date('x'), 'clock?', 'a function that returns a Date'],
    [new AbortController(), 'signal?', 'an AbortSignal: controller.signal'],
    ['Strict', ['strict', 'lenient', undefined], 'strict or lenient'],
  ])('%j is not of the kind %j', (value, kind, expected) => {
    const error = new ParameterError('options.it', expected)
    expect(() => assertParameter('options.it', value, kind)).toThrow(error)
    expect(() => assertParameter('options', { it: value }, 'object', { it: kind })).toThrow(error)
  })

  test.each<ParameterKind>(['text', 'object', 'closed?', 'file', 'function?', 'list', ['strict']])(
    'a promise is not of the kind %j',
    kind => {
      const error = expect.objectContaining({ message: 'The parameter options.it is a promise: await it.' })
      const it = Promise.resolve({})
      expect(() => assertParameter('options.it', it, kind)).toThrow(error)
      expect(() => assertParameter('options', { it }, 'object', { it: kind })).toThrow(error)
    },
  )

  test.each<[unknown, ParameterKind]>([
    ['', 'text'],
    [0, 'number'],
    [false, 'boolean'],
    [Date, 'function'],
    [() => new Date(), 'clock'],
    [new Date(), 'object'],
    [[], 'list'],
    [undefined, 'object?'],
    [undefined, ['strict', undefined]],
  ])('%j is of the kind %j', (value, kind) => {
    expect(() => assertParameter('it', value, kind)).not.toThrow()
  })

  test.each<[unknown, string]>([
    [0, ', not 0.'],
    [Number.NaN, ', not NaN.'],
    [2.5, ', not 2.5.'],
    [301, ', not 301.'],
    ['pw-8f3b61c07a', ', not of type string.'],
    [null, ', not of type object.'],
  ])('of a number with a unit, %j is quoted if it is a number', (it, given) => {
    const measure = { what: 'a whole number of seconds', most: 300, isWhole: true }
    const sentence = `The parameter options.it must be a whole number of seconds from 1 to 300${given}`
    expect(() => assertParameter('options', { it }, 'closed', { it: measure })).toThrow(sentence)
    expect(() => assertMeasure('options.it', it, measure)).toThrow(sentence)
    for (const right of [1, 300, undefined])
      expect(() => assertParameter('options.it', right, measure)).not.toThrow()
  })

  test('members of an optional parameter are checked when it is present', () => {
    const check = (value?: unknown) => assertParameter('options', value, 'object?', { it: 'text' })
    expect(check).not.toThrow()
    expect(() => check({})).toThrow('The parameter options.it is missing: it must be text.')
  })

  const known = { customId: 'text?', person: 'object?', userId: 'number?', openWorkout: 'number?' } as const
  const check = (value: unknown) => assertParameter('options', value, 'closed', known)

  test.each([
    ['customid', 'options.customid is not known. Did you mean customId?'],
    ['custom_id', 'options.custom_id is not known. Did you mean customId?'],
    ['persn', 'options.persn is not known. Did you mean person?'],
    ['__proto__', 'options.__proto__ is not known. Known: customId, person, userId, openWorkout.'],
    ['id', 'options.id is not known. Known: customId, person, userId, openWorkout.'],
    [
      'Kari Nordmann',
      'options has a property that is not known. Known: customId, person, userId, openWorkout.',
    ],
    [
      'k'.repeat(43),
      'options has a property that is not known. Known: customId, person, userId, openWorkout.',
    ],
  ])('a closed object has no property %s', (name, sentence) => {
    for (const value of ['4711', undefined])
      expect(() => check(Object.fromEntries([[name, value]]))).toThrow(`The parameter ${sentence}`)
  })

  test('a question ends without a full stop, and a synonym is the near name', () => {
    expect(() => check({ customid: '' })).toThrow(/ Did you mean customId\?$/)
    const synonyms = { client: 'person' }
    const checkClient = () => assertParameter('options', { Client: {} }, 'closed', known, synonyms)
    expect(checkClient).toThrow(/^The parameter options\.Client is not known\. Did you mean person\?$/)
  })

  test('a closed object has its members, and an open one any', () => {
    expect(() => check({ customId: '4711', person: { any: 1 } })).not.toThrow()
    expect(() =>
      assertParameter('store', { find() {}, more: 1 }, 'object', { find: 'function' }),
    ).not.toThrow()
    expect(() => assertParameter('options', { it: 1 }, 'closed', {})).toThrow(
      'The parameter options.it is not known.',
    )
  })

  test('many known names are not listed', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`member${at}`, 'any'] as const))
    expect(() => assertParameter('options', { other: 1 }, 'closed', many)).toThrow(
      /^The parameter options\.other is not known\.$/,
    )
  })
})
