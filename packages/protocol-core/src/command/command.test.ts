import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { thrownBy } from '../../test/support/vectors.ts'
import { ArgsError } from '../errors/command-error.ts'
import { fieldsIn } from '../person/person-fields.ts'
import { factsOf } from '../schema/facts.ts'
import { findCommandName, parseCommand } from './command.ts'
import { argumentsOf, commandNames, commands, isClassicCommandName } from './command-table.ts'
import { argsFromPerson } from './select-person.ts'

const culture = 'nb-NO'

/** Specification 4.5: command → argument → an acceptable value. */
const table: Record<string, Record<string, unknown>> = {
  hide: {},
  show: {},
  version: {},
  close: {},
  log: {},
  getworkoutsforclient: { customid: 'A-1', userid: 12, from: '2024-02-29' },
  openworkout: { id: 17 },
  getlistofusers: { customid: 'A-1' },
  setcustomid: { userid: 3, customid: 'A-1' },
  selectperson: {
    id: 'old',
    customid: 'A-1',
    userid: 0,
    firstname: 'Kari',
    lastname: 'Nordmann',
    email: 'kari@example.com',
    address: 'Storgata 1',
    phonehome: '1',
    phonework: '2',
    mobile: '3',
    country: 'Norge',
    zipcode: '0155',
    location: 'Oslo',
    gender: 'F',
    dateofbirth: '1980-04-03',
    profiledata: [{ key: 'weight' }],
  },
}

describe('the command table', () => {
  test('[4.5-envelope] the classic mode has exactly the commands of the specification, and log', () => {
    expect(commandNames.filter(isClassicCommandName)).toEqual(Object.keys(table))
  })

  test.each(Object.keys(table))('[4.5-%s] has the arguments of the specification', name => {
    const ours = argumentsOf(findCommandName(name)).map(({ name: argument }) => argument)
    const additions: Readonly<Record<string, string[]>> = {
      selectperson: fieldsIn('pipe').map(field => field.name),
      close: ['signout'],
    }
    const specified = Object.keys(table[name] ?? {})
    expect(ours).toEqual(expect.arrayContaining(specified))
    const others = ours.filter(argument => !specified.includes(argument))
    expect(additions[name] ?? []).toEqual(expect.arrayContaining(others))
  })

  test('each command has a one-sentence description and its section of the specification', () => {
    for (const name of commandNames) {
      expect(commands[name].summary).toMatch(/^[A-Z].*\.$/)
      expect(commands[name].section).toMatch(/^4\.[35]$|^design$/)
    }
  })

  test.each(commandNames)('each argument of %s has a description without a full stop', name => {
    for (const argument of Object.values(commands[name].args.shape))
      expect(descriptionOf(argument)).toMatch(/^\S.*[^.\s]$/)
  })

  test.each(commandNames)('each member of the reply to %s has a description', name => {
    const { reply } = commands[name]
    const record = reply instanceof z.ZodMiniArray ? reply.def.element : reply
    const members = record instanceof z.ZodMiniObject ? record.shape : {}
    for (const member of Object.values<z.core.$ZodType>(members))
      expect(descriptionOf(member)).toMatch(/^\S.*[^.\s]$/)
  })
})

function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return factsOf(schema).description
}

describe('parseCommand', () => {
  const spellings: [string, (name: string) => string][] = [
    ['lower', name => name.toLowerCase()],
    ['upper', name => name.toUpperCase()],
    ['mixed', name => name.replace(/./g, (letter, index) => (index % 2 ? letter : letter.toUpperCase()))],
  ]

  test.each(Object.keys(table))(
    '[4.5-%s] accepts its arguments in any case, and integers as decimal strings',
    text => {
      const name = findCommandName(text)
      const args = table[text] ?? {}
      const expected = parseCommand(name, args, { culture })
      for (const [, spell] of spellings) {
        const spelled = Object.entries(args).map(([argument, value]) => [
          spell(argument),
          typeof value === 'number' ? String(value) : value,
        ])
        expect(parseCommand(findCommandName(spell(text)), Object.fromEntries(spelled), { culture })).toEqual(
          expected,
        )
      }
    },
  )

  test.each(Object.keys(table))('[4.5-%s] refuses two spellings of one argument with two values', text => {
    const name = findCommandName(text)
    for (const argument of Object.keys(table[text] ?? {})) {
      const args = { ...table[text], [argument]: 'one', [argument.toUpperCase()]: 'two' }
      const error = thrownBy(() => parseCommand(name, args, { culture }))
      expect(error).toBeInstanceOf(ArgsError)
      expect((error as ArgsError).issues).toContainEqual({
        path: argument,
        problem: 'is given twice with different values',
      })
    }
  })

  test('arguments unknown to a command are ignored, with any value', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().map(name => `x-${name}`),
          fc.jsonValue(),
        ),
        extra => {
          expect(parseCommand('openworkout', { ...extra, id: 17 }, { culture })).toEqual({
            name: 'openworkout',
            args: { id: 17 },
          })
        },
      ),
    )
  })

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

  test('the search commands accept their text', () => {
    for (const name of ['queryexercises', 'queryworkouts'] as const) {
      expect(parseCommand(name, { Text: ' knee ' }, { culture })).toEqual({ name, args: { text: 'knee' } })
      expect(thrownBy(() => parseCommand(name, { text: ' ' }, { culture }))).toBeInstanceOf(ArgsError)
    }
  })
})

describe('findCommandName', () => {
  test('finds only names of the table, not those of object members', () => {
    for (const method of ['', 'hid', 'hide!', 'constructor', '__proto__', 'toString'])
      expect(thrownBy(() => findCommandName(method))).toMatchObject({ code: 'ERR_METHOD' })
  })
})

describe('argsFromPerson', () => {
  test('[4.5-selectperson] names every field as the pipe does, and omits the others', () => {
    const args = argsFromPerson({
      customId: 'A-1',
      userId: 0,
      firstname: 'Kari',
      lastname: 'Nordmann',
      middlename: 'not on the pipe',
      ssn: 'not on the pipe',
      diagnosis: 'not on the pipe',
      genderAsSent: 'not on the pipe',
      dateOfBirth: '1980-04-03',
      phoneHome: '1',
      phoneWork: '2',
      profileData: [],
    })
    expect(args).toEqual({
      customid: 'A-1',
      userid: 0,
      firstname: 'Kari',
      lastname: 'Nordmann',
      dateofbirth: '1980-04-03',
      phonehome: '1',
      phonework: '2',
      profiledata: [],
    })
    expect(parseCommand('selectperson', args, { culture }).args).toMatchObject({ customId: 'A-1', userId: 0 })
  })
})
