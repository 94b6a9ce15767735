import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { thrownBy } from '../../test/support/vectors.ts'
import { ArgsError } from '../errors/command-error.ts'
import { fieldsIn } from '../person/person-fields.ts'
import { factsOf } from '../schema/facts.ts'
import { findCommandName, parseCommand } from './command.ts'
import {
  argumentsOf,
  type CommandName,
  commandNames,
  commands,
  isClassicCommandName,
} from './command-table.ts'
import { argsFromPerson } from './select-person.ts'

const culture = 'nb-NO'

/** Specification 4.5, and ours behind it: command → its arguments. */
const table: Readonly<Record<string, string>> = {
  hide: '',
  show: '',
  version: '',
  close: '',
  log: '',
  getworkoutsforclient: 'customid userid from',
  openworkout: 'id',
  getlistofusers: 'customid',
  setcustomid: 'userid customid',
  selectperson:
    'id customid userid firstname lastname email address phonehome phonework mobile country zipcode location gender dateofbirth profiledata',
  clearperson: 'customid userid',
  signout: '',
}

describe('the command table', () => {
  test('[4.5-envelope] the classic mode has exactly the commands of the specification, and log, clearperson and signout', () => {
    expect(commandNames.filter(isClassicCommandName)).toEqual(Object.keys(table))
  })

  test.each(Object.entries(table))('[4.5-%s] has the arguments of the specification', (name, listed) => {
    const ours = argumentsOf(findCommandName(name)).map(({ name: argument }) => argument)
    const additions: Readonly<Record<string, string[]>> = {
      selectperson: [...fieldsIn('pipe').map(field => field.name), 'receipt'],
      close: ['signout', 'forupdate'],
      clearperson: ['id'],
    }
    const specified = listed.split(' ').filter(Boolean)
    expect(ours).toEqual(expect.arrayContaining(specified))
    const others = ours.filter(argument => !specified.includes(argument))
    expect(additions[name] ?? []).toEqual(expect.arrayContaining(others))
  })

  test.each(commandNames)('%s, its arguments and the members of its reply are described', name => {
    const { summary, section, args, reply } = commands[name]
    expect(summary).toMatch(/^[A-Z].*\.$/)
    expect(section).toMatch(/^4\.[35]$|^design$/)
    const record = reply instanceof z.ZodMiniArray ? reply.def.element : reply
    const members = record instanceof z.ZodMiniObject ? record.shape : {}
    for (const schema of Object.values<z.core.$ZodType>({ ...args.shape, ...members }))
      expect(factsOf(schema).description).toMatch(/^\S.*[^.\s]$/)
  })
})

describe('parseCommand', () => {
  /** Number of reads of list elements and their members before the list is refused. */
  function readsOf(count: number): number {
    let reads = 0
    const counted = <Value extends object>(value: Value) =>
      new Proxy(value, {
        get(target, member, receiver) {
          reads++
          return Reflect.get(target, member, receiver)
        },
      })
    const entries = Array.from({ length: count }, () => counted({ key: 1, Key: 2, unit: [], own: {} }))
    const args = { profiledata: counted(entries), firstname: 'Kari' }
    expect(thrownBy(() => parseCommand('selectperson', args, { culture }))).toBeInstanceOf(ArgsError)
    return reads
  }

  test('the work grows in proportion to the list, and ends where a list is too long', () => {
    const [few, more, many, tooMany] = [100, 200, 300, 20_000].map(readsOf)
    expect(few).toBeGreaterThan(100)
    expect(Number(many) - Number(more)).toBe(Number(more) - Number(few))
    expect(tooMany).toBeLessThan(100)
  })

  test.each<[CommandName, object, readonly string[]]>([
    ['getlistofusers', { customid: ' ' }, ['customid is empty: all users are returned']],
    ['getlistofusers', { customid: null }, []],
    ['getlistofusers', { custom_id: '1' }, ['custom_id is not known and was ignored; write customid']],
    ['getlistofusers', { id: '1' }, ['id is not known and was ignored; write customid']],
    [
      'selectperson',
      { customid: '1', firstname: 'K', lastname: 'N', profiledata: [{ name: 'w', value: {} }, { Key: 'k' }] },
      ['profiledata.0.key is missing', 'profiledata.0.value must be text or a number'],
    ],
    [
      'getworkoutsforclient',
      { userid: 1, since: '' },
      ['Args has an argument that is not known and was ignored'],
    ],
    [
      'selectperson',
      { customid: '1', firstname: 'Kari', lastname: 'N', birthdate: '1980-04-03', 'Kari Å': 1 },
      [
        'birthdate is not known and was ignored; write dateofbirth',
        'Args has an argument that is not known and was ignored',
      ],
    ],
    [
      'hide',
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x${at}`, 1])),
      Array(10).fill(expect.any(String)),
    ],
  ])('%s of %j notes %j', (name, args, notes) => {
    const noted: string[] = []
    parseCommand(name, args, { culture, onNoted: ({ path, problem }) => noted.push(`${path} ${problem}`) })
    expect(noted).toEqual(notes)
  })

  test('the search commands accept their text', () => {
    for (const name of ['queryexercises', 'queryworkouts'] as const) {
      expect(parseCommand(name, { Text: ' knee ' }, { culture })).toEqual({ name, args: { text: 'knee' } })
      expect(thrownBy(() => parseCommand(name, { text: ' ' }, { culture }))).toBeInstanceOf(ArgsError)
    }
  })
})

test('a person is selected with a receipt only where true asks for one', () => {
  const args = { customid: '4711', firstname: 'Kari', lastname: 'Nordmann' }
  const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
  const read = (receipt: unknown) => parseCommand('selectperson', { ...args, receipt }, { culture })
  for (const asked of [true, 'TRUE'])
    expect(read(asked)).toEqual({ name: 'selectperson', args: person, receipt: true })
  for (const unasked of [false, 'false', '', null, undefined])
    expect(read(unasked)).toEqual({ name: 'selectperson', args: person })
})

describe('findCommandName', () => {
  test('finds only names of the table, not those of object members', () => {
    for (const method of ['', 'hid', 'hide!', 'constructor', '__proto__', 'toString'])
      expect(thrownBy(() => findCommandName(method))).toMatchObject({ code: 'ERR_METHOD' })
  })
})

describe('argsFromPerson', () => {
  const kari = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }

  test('[4.5-selectperson] leaves out what the pipe does not carry', () => {
    const args = { customid: '4711', userid: 0, firstname: 'Kari', lastname: 'Nordmann', phonehome: '1' }
    const person = { ...kari, userId: 0, phoneHome: '1' }
    // @ts-expect-error
    expect(argsFromPerson({ ...person, ssn: '1' })).toEqual(args)
    const more = { ...person, ssn: '1', diagnosis: 'L92' }
    expect(argsFromPerson(more)).toEqual(args)
  })

  test.each<[object, string]>([
    [{ firstName: 'K' }, 'Did you mean firstname?'],
    [{ customId: undefined }, 'customId is missing (customId or userId is needed)'],
    [{ customId: undefined, userId: 0 }, 'customId is missing (a new user, userId 0, needs it)'],
    [{ lastname: ' ' }, 'lastname is missing'],
    ...['undefined', ' null', 'NaN', '[object Object]', 'None'].map((customId): [object, string] => [
      { customId, userId: 1 },
      'customId is the text of a missing value, of an object or of a template',
    ]),
    [{ userId: -1 }, 'userId must be a whole number, 0 or more'],
    [{ userId: 1.5 }, 'userId must be a whole number, 0 or more'],
    [{ dateOfBirth: '03/04/1980' }, 'dateOfBirth must be written YYYY-MM-DD'],
    [{ profileData: [{ key: 'k', date: '01.06.2016' }] }, 'profileData.0.date must be written as one of'],
  ])('refuses %j', (wrong, sentence) => {
    expect(() => argsFromPerson({ ...kari, ...wrong })).toThrow(sentence)
  })
})

test.each(['nonsense', 'nb_NO', ''])(
  'the culture %j, by which no date would be read, is refused',
  culture => {
    expect(() => parseCommand('hide', undefined, { culture })).toThrow(
      'The parameter options.culture must be a language tag that is known here, such as nb-NO, or und.',
    )
  },
)
