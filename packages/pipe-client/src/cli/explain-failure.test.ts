import { readFileSync } from 'node:fs'
import { commandErrorCodes, FrameError, type ServiceLinkError } from '@service-link/protocol-core/errors'
import { UsageError } from '@service-link/terminal'
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
import { adviseOn } from './explain-failure.ts'

const call = { command: 'openworkout', executable: 'Wrapper.exe' }

const told: [ServiceLinkError, string][] = [
  [new UsageError('id is given twice.'), 'See service-pipe openworkout --help'],
  [
    new PipeNotFoundError(),
    'Run Wrapper.exe, or let this command start it first: service-pipe openworkout --start',
  ],
  [new PipeNotFoundError(4711), 'See which are running: service-pipe list'],
  [
    new PipeUnprovenError(4711),
    'Do not send it again. Have the administrator find out which process has the pipe, and of which user.',
  ],
  [
    new PipeAmbiguousError([3, 5, 8]),
    'See which is which with service-pipe list and service-pipe status --pid …, then name it: service-pipe openworkout --pid …',
  ],
  [
    new PipeDeniedError('It belongs to another user.'),
    'See which wrappers are yours: service-pipe list. If one was to be started, install it where nobody else may write.',
  ],
  [
    new PipeTimeoutError(700, true),
    'See in its window whether it was done before you repeat the command. To wait longer: service-pipe openworkout --timeout 120',
  ],
  [
    new PipeTimeoutError(700, false),
    'Try again in a moment. See whether it is still running: service-pipe list',
  ],
  [
    new PipeClosedError(true),
    'See in its window whether it was done before you repeat the command. See whether it is still running: service-pipe list',
  ],
  [new PipeClosedError(false), 'Try again in a moment. See whether it is still running: service-pipe list'],
  [
    new PipeReplyError('The reply is not JSON.'),
    'Another program may have taken the name of the pipe. See as which process it runs: service-pipe list',
  ],
  [
    new PipeTooOldError('2.0.0.0', '2.1.4.19787'),
    'Update the wrapper, start it again, and repeat the command.',
  ],
  [new PipeUnsupportedError('openworkout'), 'Update the wrapper, or this program, whichever is older.'],
  [
    new PipeNotInstalledError('No wrapper is installed.'),
    'Install the wrapper, start Wrapper.exe once by hand, and repeat the command.',
  ],
  [new PipeStartError('It could not be started.', 2), 'Find out what is wrong: Wrapper.exe doctor'],
  [
    new PipeOverflowError(1000),
    'Read faster, or watch fewer kinds of event: service-pipe watch personselected',
  ],
  [new FrameError('It is too long.'), 'Send less: a wrapper accepts 1 MiB of arguments.'],
]

describe('a failure', () => {
  test.each(told)('%s → %s', (error, advice) => {
    expect(adviseOn(error, call)).toBe(advice)
  })

  test('of every kind is in this list', () => {
    const source = readFileSync(new URL('../errors/pipe-error.ts', import.meta.url), 'utf8')
    const codes = new Set(source.match(/ERR_PIPE_[A-Z_]+/g))
    codes.delete('ERR_PIPE_REFUSED')
    expect(codes.size).toBeGreaterThan(10)
    for (const code of codes) expect(told.map(([error]) => error.code)).toContain(code)
  })

  test('before a command is known: the general help', () => {
    expect(adviseOn(new UsageError('x'), { ...call, command: undefined })).toBe('See service-pipe --help')
  })
})

describe('a refusal', () => {
  test.each(commandErrorCodes)('%s has advice', code => {
    expect(adviseOn(new PipeRefusedError(code, 'It says so.'), call)).toMatch(
      /^[A-Z].*([.]|service-pipe [a-z].*|Wrapper\.exe doctor)$/,
    )
  })

  const advices: [(typeof commandErrorCodes)[number], string | undefined, string][] = [
    ['ERR_ARGS', 'openworkout', 'See what it takes: service-pipe openworkout --help'],
    ['ERR_NOT_FOUND', 'openworkout', 'Find the id of a workout: service-pipe getworkoutsforclient userid=…'],
    ['ERR_NOT_FOUND', 'setcustomid', 'Find the id of a person: service-pipe getlistofusers'],
    ['ERR_CLOSING', 'hide', 'Wait until it has exited, and start it again: service-pipe hide --start'],
  ]
  test.each(advices)('%s of %s: %s', (code, command, advice) => {
    expect(adviseOn(new PipeRefusedError(code, 'x'), { ...call, command })).toBe(advice)
  })
})
