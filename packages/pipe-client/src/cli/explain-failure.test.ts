import { readFileSync } from 'node:fs'
import { UsageError } from '@service-link/command-line'
import { commandErrorCodes, FrameError, type ServiceLinkError } from '@service-link/protocol-core/errors'
import { describe, expect, test } from 'vitest'
import {
  PipeAmbiguousError,
  PipeClosedError,
  PipeDeniedError,
  PipeNotFoundError,
  PipeNotInstalledError,
  PipeOverflowError,
  PipeRefusedError,
  PipeReplyError,
  PipeStartError,
  PipeTimeoutError,
  PipeTooOldError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import { explainFailure } from './explain-failure.ts'
import { executableOn } from './run-service-pipe.ts'

const call = { command: 'openworkout', executable: 'Wrapper.exe' }

const told: [ServiceLinkError, string, string][] = [
  [new UsageError('id is given twice.'), 'id is given twice.', 'See service-pipe openworkout --help'],
  [
    new PipeNotFoundError(),
    'No wrapper of this user is running.',
    'Run Wrapper.exe, or let this command start it first: service-pipe openworkout --start',
  ],
  [
    new PipeNotFoundError(undefined, [3, 5]),
    'No wrapper runs in this login session; this user has others elsewhere: processes 3 and 5.',
    'Start one here: service-pipe openworkout --start. Or, if another is meant: service-pipe openworkout --pid …',
  ],
  [
    new PipeNotFoundError(undefined, [3]),
    'No wrapper runs in this login session; this user has others elsewhere: process 3.',
    'Start one here: service-pipe openworkout --start. Or, if another is meant: service-pipe openworkout --pid …',
  ],
  [
    new PipeNotFoundError(4711),
    'No wrapper of this user runs as process 4711.',
    'See which are running: service-pipe list',
  ],
  [
    new PipeUnprovenError(4711),
    'The process that answers in the place of process 4711 did not prove to be a wrapper of this user. No command was sent to it. This is an incident: tell your administrator.',
    'Do not send it again. Have the administrator find out which process has the pipe, and of which user.',
  ],
  [
    new PipeAmbiguousError([3, 5, 8]),
    'Several wrappers of this user are running: processes 3, 5 and 8.',
    'See which is which with service-pipe list and service-pipe status --pid …, then name it: service-pipe openworkout --pid …',
  ],
  [
    new PipeDeniedError('The pipe belongs to another user, and is not used.'),
    'The pipe belongs to another user, and is not used.',
    'See which wrappers are yours: service-pipe list. If one was to be started, install it where nobody else may write.',
  ],
  [
    new PipeTimeoutError(700, true),
    'The wrapper did not answer within 700 ms. Whether the command had an effect is not known.',
    'See in its window whether it was done before you repeat the command. To wait longer: service-pipe openworkout --timeout 120',
  ],
  [
    new PipeTimeoutError(700, false),
    'The wrapper did not accept a connection within 700 ms.',
    'Try again in a moment. See whether it is still running: service-pipe list',
  ],
  [
    new PipeClosedError(true),
    'The wrapper closed the connection before the reply was complete. Whether the command had an effect is not known.',
    'See in its window whether it was done before you repeat the command. See whether it is still running: service-pipe list',
  ],
  [
    new PipeClosedError(false, 'ECONNRESET'),
    'The connection to the wrapper failed (ECONNRESET).',
    'Try again in a moment. See whether it is still running: service-pipe list',
  ],
  [
    new PipeReplyError('The reply is not JSON.'),
    'The reply is not JSON.',
    'Another program may have taken the name of the pipe. See as which process it runs: service-pipe list',
  ],
  [
    new PipeTooOldError('2.0.0.0', '2.1.4.19787'),
    'The wrapper that is running has version 2.0.0.0, which is too old for this program.',
    'Update the wrapper, start it again, and repeat the command.',
  ],
  [
    new PipeUnsupportedError('openworkout'),
    'The wrapper that is running is too old for openworkout.',
    'Update the wrapper to version 3.0.0.0 or newer.',
  ],
  [
    new PipeUnsupportedError('The session mode', 2),
    'The wrapper speaks version 2 of the session mode, which this program does not know. Update this program.',
    'Update service-pipe, and repeat the command.',
  ],
  [
    new PipeNotInstalledError('No wrapper is installed for this user.'),
    'No wrapper is installed for this user.',
    'Install the wrapper, start Wrapper.exe once by hand, and repeat the command.',
  ],
  [
    new PipeStartError('The wrapper could not be started.', 2),
    'The wrapper could not be started.',
    'Find out what is wrong: Wrapper.exe doctor',
  ],
  [
    new PipeOverflowError(1000),
    'More events happened than the reader of standard output took.',
    'Read faster, or watch fewer kinds of event: service-pipe watch personselected',
  ],
  [new FrameError('It is too long.'), 'It is too long.', 'Send less: a wrapper accepts 1 MiB of arguments.'],
]

describe('a failure', () => {
  test.each(told)('%s: %s → %s', (error, sentence, advice) => {
    expect(explainFailure(error, call)).toEqual({ sentence, advice })
  })

  test('of every kind is in this list', () => {
    const source = readFileSync(new URL('../errors/pipe-error.ts', import.meta.url), 'utf8')
    const codes = new Set(source.match(/ERR_PIPE_[A-Z_]+/g))
    codes.delete('ERR_PIPE_REFUSED')
    expect(codes.size).toBeGreaterThan(10)
    for (const code of codes) expect(told.map(([error]) => error.code)).toContain(code)
  })

  test('before a command is known: the general help', () => {
    expect(explainFailure(new UsageError('x'), { ...call, command: undefined })).toEqual({
      sentence: 'x',
      advice: 'See service-pipe --help',
    })
  })

  test('of a search that an old wrapper’s pipe lacks: another way to search', () => {
    const { advice } = explainFailure(new PipeUnsupportedError('x'), { ...call, command: 'queryworkouts' })
    expect(advice).toMatch(/, or search by a launch: Wrapper\.exe queryworkouts=…$/)
  })

  test('of listing pipes: a way without the list', () => {
    const { advice } = explainFailure(new PipeDeniedError('x'), { ...call, command: 'list' })
    expect(advice).toBe('Name the wrapper by its process id: service-pipe status --pid …')
  })

  test('of watching: events may have been missed', () => {
    expect(explainFailure(new PipeClosedError(false), { ...call, command: 'watch' })).toEqual({
      sentence: 'The connection to the wrapper was lost.',
      advice: 'Events may have been missed. Go on watching: service-pipe watch',
    })
  })
})

describe('a refusal', () => {
  test.each(commandErrorCodes)('%s: the wrapper’s sentence and advice', code => {
    const { sentence, advice } = explainFailure(new PipeRefusedError(code, 'It says so.'), call)
    expect(sentence).toBe(`It says so. (${code})`)
    expect(advice).toMatch(/^[A-Z].*([.]|service-pipe [a-z].*|Wrapper\.exe doctor)$/)
  })

  const advices: [(typeof commandErrorCodes)[number], string | undefined, string][] = [
    ['ERR_ARGS', 'openworkout', 'See what it takes: service-pipe openworkout --help'],
    ['ERR_NOT_FOUND', 'openworkout', 'Find the id of a workout: service-pipe getworkoutsforclient userid=…'],
    ['ERR_NOT_FOUND', 'setcustomid', 'Find the id of a person: service-pipe getlistofusers'],
    ['ERR_CLOSING', 'hide', 'Wait until it has exited, and start it again: service-pipe hide --start'],
  ]
  test.each(advices)('%s of %s: %s', (code, command, advice) => {
    expect(explainFailure(new PipeRefusedError(code, 'x'), { ...call, command }).advice).toBe(advice)
  })
})

test('uses the executable’s name on the user’s machine', () => {
  expect(executableOn('win32')).toBe('Service.Client.WebWrapper.exe')
  expect(executableOn('linux')).toBe('service-webwrapper')
})
