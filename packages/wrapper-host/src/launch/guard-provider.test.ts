import { JsonError } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { providerInput } from '../../test/support/provider-input.ts'
import { guardProvider } from './guard-provider.ts'
import type { ProvidedCommands, Provider } from './provider.ts'

const person = { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' }

/** The guard's result for a provider's return value of any type. */
function provided(given: unknown): Promise<ProvidedCommands> {
  return guardProvider({ provide: async () => given as ProvidedCommands }).provide(providerInput([]))
}

function failing(provide: Provider['provide']): Promise<ProvidedCommands> {
  return guardProvider({ provide }).provide(providerInput([]))
}

describe('a custom provider’s result', () => {
  test('runs when it matches the command table', async () => {
    const given = {
      payload: 'a.b.c',
      commands: [
        { name: 'selectperson', args: person },
        { name: 'setcustomid', args: { userId: 1, customId: ' A-1 ' } },
        { name: 'queryexercises', args: { text: ' knee ' } },
        { name: 'openworkout', args: { id: '17' } },
        { name: 'show' },
      ],
    }
    expect(await provided(given)).toEqual({
      payload: 'a.b.c',
      commands: [
        { name: 'selectperson', args: person },
        { name: 'setcustomid', args: { userId: 1, customId: 'A-1' } },
        { name: 'queryexercises', args: { text: 'knee' } },
        { name: 'openworkout', args: { id: 17 } },
        { name: 'show', args: {} },
      ],
    })
  })

  test('cannot change afterwards', async () => {
    const given = { commands: [{ name: 'selectperson', args: { ...person } }] }
    const { commands } = await provided(given)
    Object.assign(given.commands[0]?.args ?? {}, { customId: 'another' })
    expect(commands).toEqual([{ name: 'selectperson', args: person }])
  })

  const select = (args: object) => ({ commands: [{ name: 'selectperson', args }] })
  test.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['']],
    ['a list', [], ['']],
    ['no commands', {}, ['commands']],
    ['an unknown member', { commands: [], Secret: 1 }, ['']],
    ['an unknown command', { commands: [{ name: 'Secret', args: {} }] }, ['commands.0.name']],
    ['an inherited name', { commands: [{ name: 'toString', args: {} }] }, ['commands.0.name']],
    [
      'ids as the wire spells them',
      { commands: [{ name: 'setcustomid', args: { userid: 1, customId: 'x' } }] },
      ['commands.0.args.userId', 'commands.0.args'],
    ],
    ['an unknown argument', { commands: [{ name: 'show', args: { Secret: 1 } }] }, ['commands.0.args']],
    [
      'a wrong argument',
      { commands: [{ name: 'openworkout', args: { id: 'Secret' } }] },
      ['commands.0.args.id'],
    ],
    [
      'a person without a name',
      select({ customId: 'Secret' }),
      ['commands.0.args.firstname', 'commands.0.args.lastname'],
    ],
    ['a person without an id', select({ firstname: 'Secret', lastname: 'B' }), ['commands.0.args.customId']],
    [
      'a new person without an id',
      select({ ...person, customId: undefined, userId: 0 }),
      ['commands.0.args.customId'],
    ],
    ['a date that is none', select({ ...person, dateOfBirth: 'Secret' }), ['commands.0.args.dateOfBirth']],
    ['a payload that is no text', { commands: [], payload: 5 }, ['payload']],
    ['an end that is no function', { commands: [], taken: 'Secret' }, ['taken']],
    ['too many commands', { commands: Array.from({ length: 101 }, () => ({ name: 'show' })) }, ['commands']],
  ])('is refused whole with %s, and not repeated', async (_title, given, paths) => {
    const refused = await provided(given).catch(error => error)
    expect(refused).toMatchObject({ code: 'ERR_PROVIDER_RESULT' })
    expect(refused.issues.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(JSON.stringify([refused.message, refused.issues])).not.toMatch(/Secret|undefined/)
  })
})

test('a refused result names what was meant', async () => {
  const args = { customid: '1', firstname: 'A', lastname: 'B' }
  await expect(provided({ commands: [{ name: 'selectperson', args }] })).rejects.toThrow(
    'did you mean customId.',
  )
  const workout = { name: 'openworkout', args: { id: 1, customid: '1' } }
  await expect(provided({ commands: [workout] })).rejects.toThrow(/that is not known\.$/)
  await expect(provided({ commands: [], launchparameters: {} })).rejects.toThrow(
    'did you mean launchParameters.',
  )
  await expect(provided({ commands: [{ name: 'selectPerson' }] })).rejects.toThrow(
    /must be one of .*selectperson/,
  )
})

describe('a custom provider’s error', () => {
  test.each([
    [
      'a member',
      {
        get commands() {
          throw new Error('Secret')
        },
      },
    ],
    [
      'an argument',
      {
        commands: [
          {
            name: 'openworkout',
            args: {
              get id() {
                throw new Error('Secret')
              },
            },
          },
        ],
      },
    ],
  ])('during %s of its result is not repeated', async (_title, given) => {
    const told = await provided(given).catch(failure => failure)
    expect(told).toMatchObject({ code: 'ERR_PROVIDER_FAILED' })
    expect(told.message).not.toContain('Secret')
  })

  test('is not repeated, because it may name a person', async () => {
    const thrown = [
      new Error('Secret'),
      'Secret',
      undefined,
      Object.assign(new Error('Secret'), { code: 'ERR_ARGS' }),
    ]
    const atOnce = () => {
      throw new TypeError('Secret')
    }
    for (const provide of [...thrown.map(error => () => Promise.reject(error)), atOnce]) {
      const told = await failing(provide).catch(failure => failure)
      expect(told).toMatchObject({ code: 'ERR_PROVIDER_FAILED' })
      expect(told.cause).toBeUndefined()
      expect(told.message).not.toContain('Secret')
    }
  })

  test('passes unchanged when it is one of ours, such as a refusal', async () => {
    await expect(
      failing(({ refusal }) => Promise.reject(refusal('Nobody is chosen.'))),
    ).rejects.toMatchObject({
      code: 'ERR_PROVIDER_REFUSED',
      message: 'Nobody is chosen.',
    })
    const error = new JsonError('No JSON.')
    await expect(failing(() => Promise.reject(error))).rejects.toBe(error)
  })

  test.each([
    ['Line one.\r\nLine\u202e two.\0', 'Line one. Line  two.'],
    ['x'.repeat(600), 'x'.repeat(500)],
    ['', 'The provider refused the launch.'],
  ])('is one line of a bounded length: %.20j', async (sentence, message) => {
    const refused = failing(({ refusal }) => Promise.reject(refusal(sentence)))
    await expect(refused).rejects.toMatchObject({ message })
  })

  test('during its clean-up is not repeated either', async () => {
    const { taken } = await provided({ commands: [], taken: () => Promise.reject(new Error('Secret')) })
    await expect(taken?.()).rejects.toMatchObject({ code: 'ERR_PROVIDER_FAILED' })
  })

  test('is none when the end of a launch is reported to its result', async () => {
    const result = {
      commands: [],
      async taken() {
        told.push(this)
      },
    }
    const told: unknown[] = []
    await (await provided(result)).taken?.()
    expect(told).toEqual([result])
  })
})
