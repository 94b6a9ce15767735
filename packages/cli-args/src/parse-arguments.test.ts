import { type ArgsIssue, type BrandOptions, type Command, defineBrand } from '@service-link/protocol-core'
import file from '@service-link/vectors/command-line.json' with { type: 'json' }
import { describe, expect, test, vi } from 'vitest'
import { parseArguments } from './parse-arguments.ts'
import { readLaunchArguments, readLaunchWords } from './read-launch-arguments.ts'

interface Vector {
  readonly id: string
  readonly requirement?: string
  readonly name: string
  readonly input: {
    readonly argv: readonly string[]
    readonly culture?: string
    readonly requiredPerson?: readonly string[]
  }
  readonly expect?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string; readonly paths: readonly string[] }
}

const vectors: readonly Vector[] = file.vectors

function parse({ argv, requiredPerson, ...options }: Vector['input']) {
  const brand = requiredPerson ? { brand: defineBrand({ requiredPerson } as BrandOptions) } : {}
  const dropped: string[] = []
  const onDropped = ({ path }: ArgsIssue) => dropped.push(path)
  const parsed = parseArguments(argv, { onDropped, ...brand, ...options })
  return { ...parsed, ...(dropped.length > 0 ? { dropped } : {}) }
}

const endNames: readonly string[] = ['clearperson', 'signout']

/** The refusal of these places. */
const refusalOf = (...paths: string[]) =>
  expect.objectContaining({ code: 'ERR_ARGS', issues: paths.map(path => expect.objectContaining({ path })) })

describe('command-line.json', () => {
  for (const { id, requirement, name, input, error, expect: expected } of vectors) {
    test(`${requirement ? `[${requirement}] ` : ''}${name} (${id})`, () => {
      if (error) return expect(() => parse(input)).toThrow(refusalOf(...error.paths))
      const { values, hasCommands, otherValues, unknown, ends, ...result } = parse(input)
      const { launchParameters = otherValues, unknown: names = [], ...wanted } = expected ?? {}
      expect(result).toEqual(wanted)
      expect(unknown.map(({ name }) => name)).toEqual(names)
      expect(otherValues).toEqual(launchParameters)
      expect(hasCommands).toBe(result.commands.length > 0 && !ends)
      expect(result.commands.filter(({ name }) => endNames.includes(name))).toEqual(ends ? [ends] : [])
    })
  }
})

describe('a refusal', () => {
  test('never repeats a value', () => {
    const argv = [
      'id=Secret1',
      'firstname=Secret2',
      'dateofbirth=Secret3',
      'gender=Secret4',
      'openworkout=Secret5',
      'Secret6',
    ]
    for (const list of [
      argv,
      argv.slice(0, 5),
      ['wait=Secret7'],
      ['id=Secret8', 'id=Secret9'],
      ['Secret10.xml', 'Secret11.xml'],
      ['payload=Secret12.b.c'],
    ])
      expect(() => parseArguments(list)).toThrow(/^Arguments not accepted: (?!.*Secret)/)
  })

  test('of a stray word names the argument and the missing quotes', () => {
    expect(() => parseArguments(['lastname=van', 'Dyk'])).toThrow(
      'Arguments not accepted: argument 2 is neither name=value nor an .xml file: a value or path with spaces needs double quotes, as in lastname="van Dyk".',
    )
  })

  test('starts above the limits of number and length', () => {
    const blanks = (count: number) => Array.from({ length: count }, () => '')
    expect(parseArguments(blanks(1024)).commands).toEqual([])
    expect(() => parseArguments(blanks(1025))).toThrow(refusalOf(''))
    const payload = `@${'x'.repeat(65_536 - 'payload=@'.length)}`
    expect(parseArguments([`payload=${payload}`]).payload).toBe(payload)
    expect(() => parseArguments([`payload=${payload}x`])).toThrow(refusalOf(''))
  })
})

describe('readLaunchWords', () => {
  test('keeps words and the values of unknown names', () => {
    const argv = [
      '"acme://open?patient=1&x=2"',
      'ACME://in.xml',
      'Acme.User="Ola N"',
      '--switch',
      '__proto__=x',
      'id=4711',
    ]
    expect(readLaunchWords(argv)).toEqual({
      wait: false,
      values: { id: '4711' },
      hasCommands: true,
      unknown: [
        { name: 'Acme.User' },
        { name: '__proto__' },
        { name: '--switch', note: { path: 'argument 4', problem: 'begins with - and was ignored' } },
      ],
      words: ['acme://open?patient=1&x=2', 'ACME://in.xml'],
      otherValues: { 'acme.user': 'Ola N' },
    })
  })

  test('refuses ambiguous arguments, even of unknown names', () => {
    const twice = ['patient=1', 'PATIENT=2', 'id=3', 'ID=4']
    expect(() => readLaunchWords(twice)).toThrow(refusalOf('id', 'patient'))
    expect(readLaunchWords(['patient=1', 'PATIENT=1']).otherValues).toEqual({ patient: '1' })
  })
})

test('[4.3-dateofbirth] without a culture the machine’s decides, and none needs ISO 8601', () => {
  const dateUnder = (locale: string, date: string) => {
    for (const name of ['LC_ALL', 'LC_TIME', 'LANG']) vi.stubEnv(name, locale)
    const argv = ['id=1', 'firstname=A', 'lastname=B', `dateofbirth=${date}`]
    const [command]: readonly (Command | undefined)[] = parseArguments(argv).commands
    return Object(command?.args).dateOfBirth
  }
  try {
    // On Windows the user's regional format decides.
    if (process.platform !== 'win32') {
      expect(dateUnder('nb_NO.UTF-8', '03.04.1980')).toBe('1980-04-03')
      expect(dateUnder('en_US.UTF-8', '03.04.1980')).toBe('1980-03-04')
      expect(() => dateUnder('C', '03.04.1980')).toThrow(refusalOf('dateofbirth'))
    }
    expect(dateUnder('C', '1980-04-03')).toBe('1980-04-03')
  } finally {
    vi.unstubAllEnvs()
  }
})

test.each(['firstname="“Kari”"', '"firstname="“Kari”""'])(
  '%s: straight quotes keep the typographic ones',
  argument => {
    expect(readLaunchArguments([argument]).values).toEqual({ firstname: '“Kari”' })
  },
)

test('the sentence about typographic quotes says what to write', () => {
  const read = () => readLaunchArguments(['firstname=“Kari', 'Anne”'])
  expect(read).toThrow(/^(?!.*Kari).*Write straight quotes/)
})

test.each(['nonsense', 'nb_NO', ''])(
  'the culture %j, by which no date would be read, is refused',
  culture => {
    expect(() => parseArguments([], { culture })).toThrow(
      'The parameter options.culture must be a language tag that is known here, such as nb-NO, or und.',
    )
  },
)
