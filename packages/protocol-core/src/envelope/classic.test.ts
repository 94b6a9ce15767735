import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asVector,
  type BodyInput,
  bytesOf,
  loadVectors,
  replyAsVector,
  thrownBy,
} from '../../test/support/vectors.ts'
import type { Command } from '../command/command.ts'
import {
  type ClassicCommandName,
  commandNames,
  commands,
  isClassicCommandName,
} from '../command/command-table.ts'
import { argsFromPerson } from '../command/select-person.ts'
import { ArgsError, type ArgsIssue, NotFoundError } from '../errors/command-error.ts'
import { parseClassicCommand } from '../session/parse-request.ts'
import { VersionError } from '../wrapper/four-part-version.ts'
import {
  readClassicReply,
  readReply,
  writeClassicFailure,
  writeClassicReply,
  writeClassicRequest,
} from './classic.ts'
import { decodeRequest } from './request-envelope.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const requests = loadVectors<
  BodyInput & { readonly culture: string },
  Command & { readonly dropped?: readonly string[] }
>('classic-requests.json')

describe('parseClassicCommand', () => {
  test.each(requests)('$id: $name', ({ input, expect: expected, error }) => {
    const dropped: string[] = []
    const options = { culture: input.culture, onDropped: ({ path }: ArgsIssue) => dropped.push(path) }
    const parse = () => parseClassicCommand(decodeRequest(bytesOf(input)), options)
    if (expected) {
      const { dropped: left = [], ...command } = expected
      expect(asVector(parse())).toEqual(command)
      expect(dropped).toEqual(left)
    } else {
      const thrown = thrownBy(parse)
      expect(thrown).toMatchObject({ code: error?.code })
      if (error?.paths) expect((thrown as ArgsError).issues.map(issue => issue.path)).toEqual(error.paths)
    }
  })

  test('an unknown command is told those of the classic mode', () => {
    const unknown = bytes('{"Method":"explode"}')
    const { message } = thrownBy(() =>
      parseClassicCommand(decodeRequest(unknown), { culture: 'nb-NO' }),
    ) as Error
    expect(message).toContain(commandNames.filter(isClassicCommandName).join(', '))
    expect(message).not.toMatch(/query|hello|subscribe/)
  })
})

describe('writeClassicRequest', () => {
  test('[4.5-envelope] writes Method, and Args only when there are any', () => {
    expect(writeClassicRequest('hide')).toBe('{"Method":"hide"}')
    expect(writeClassicRequest('getlistofusers', { customid: undefined })).toBe('{"Method":"getlistofusers"}')
    expect(writeClassicRequest('openworkout', { id: 17 })).toBe('{"Method":"openworkout","Args":{"id":17}}')
  })

  test('[4.5-selectperson] a written person is read back', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(text => `x${text}x`)
    const persons = fc.record({
      customId: name,
      firstname: name,
      lastname: name,
      dateOfBirth: fc.constantFrom('1980-04-03', '2024-02-29'),
      gender: fc.constantFrom('female' as const, 'male' as const),
      address: name,
      phoneHome: name,
      profileData: fc.array(fc.record({ key: name, value: name, own: fc.constant(1) })),
    })
    fc.assert(
      fc.property(persons, person => {
        const body = writeClassicRequest('selectperson', argsFromPerson(person))
        expect(parseClassicCommand(decodeRequest(bytes(body)), { culture: 'en-US' })).toEqual({
          name: 'selectperson',
          args: person,
        })
      }),
    )
  })
})

const replies = loadVectors<
  { readonly command: ClassicCommandName; readonly body: string | null },
  { readonly result?: unknown; readonly failure?: { readonly error: string; readonly code: string } }
>('classic-replies.json')

describe('readClassicReply', () => {
  test.each(replies)('$id: $name', ({ input, expect: expected, error }) => {
    const read = () => readClassicReply(input.command, input.body === null ? undefined : bytes(input.body))
    if (error) expect(thrownBy(read)).toMatchObject({ code: error.code })
    else if (expected?.failure) expect(read()).toEqual({ isFailure: true, failure: expected.failure })
    else {
      const outcome = read()
      expect(outcome).toMatchObject({ isFailure: false })
      const { reply } = commands[input.command]
      expect('result' in outcome && replyAsVector(reply, outcome.result)).toEqual(expected?.result ?? null)
    }
  })
})

describe('writeClassicReply', () => {
  test('commands without a reply have no body', () => {
    const names = ['hide', 'show', 'close', 'openworkout', 'setcustomid', 'clearperson', 'signout'] as const
    for (const name of names) expect(writeClassicReply(name, undefined)).toBeUndefined()
  })

  test('[4.5-selectperson] a person has the members that programs in the field know', () => {
    const reply = { status: 'selected', userId: 5, customId: '4711' }
    const receipt = { time: '2026-11-27T09:30:00.000Z', focusNumber: 7 }
    expect(writeClassicReply('selectperson', { ...reply, focusNumber: 7, receipt })).toBe(
      '{"status":"selected","userid":5,"customid":"4711"}',
    )
  })

  test('a written reply is read back', () => {
    const user = { id: 1, customId: 'ø', firstname: 'Kåre', own: { Kept: [true] } }
    const body = writeClassicReply('getlistofusers', [user]) ?? ''
    const absent = { lastname: null, email: null, dateOfBirth: null }
    expect(readClassicReply('getlistofusers', bytes(body))).toEqual({
      isFailure: false,
      result: [{ ...user, ...absent }],
    })
    expect(writeClassicReply('version', '3.0.0.0')).toBe('3.0.0.0')
  })
})

const lists = loadVectors<
  { readonly command: 'getlistofusers' | 'getworkoutsforclient'; readonly answer: unknown },
  { readonly list: unknown }
>('classic-lists.json')

describe('writeClassicReply of a list', () => {
  test.each(lists)('$id: $name', ({ input: { command, answer: given }, expect: expected }) => {
    const answer = readReply(commands[command].reply, given, 'is refused') as never[]
    expect(JSON.parse(writeClassicReply(command, answer) ?? '')).toEqual(expected?.list)
  })
})

describe('writeClassicFailure', () => {
  test('writes the sentence and the code only', () => {
    expect(JSON.parse(writeClassicFailure(new NotFoundError('There is no workout with this id.')))).toEqual({
      error: 'There is no workout with this id.',
      code: 'ERR_NOT_FOUND',
    })
    expect(Object.keys(JSON.parse(writeClassicFailure(new ArgsError([]))))).toEqual(['error', 'code'])
  })

  test('a code that is no command’s travels as ERR_WEB_APP', () => {
    expect(JSON.parse(writeClassicFailure(new VersionError()))).toMatchObject({ code: 'ERR_WEB_APP' })
  })
})
