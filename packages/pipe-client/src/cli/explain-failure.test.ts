import { type CommandErrorCode, commandErrorCodes, FrameError } from '@service-link/protocol-core/errors'
import { UsageError } from '@service-link/terminal'
import { expect, test } from 'vitest'
import {
  PipeClosedError,
  PipeNotFoundError,
  PipeRefusedError,
  PipeTimeoutError,
} from '../errors/pipe-error.ts'
import { adviseOn, exitCodeOf } from './explain-failure.ts'

const call = { command: 'openworkout', executable: 'Wrapper.exe' }

test.each([
  [new UsageError('id is given twice.'), 'See service-pipe openworkout --help'],
  [
    new PipeNotFoundError(),
    'Run Wrapper.exe, or let this command start it first: service-pipe openworkout --start',
  ],
  [
    new PipeNotFoundError(4711),
    'See which are running: service-pipe list. A wrapper before 3.0.0.0, or of another maker: service-pipe openworkout --pid … --classic',
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
  [new FrameError('It is too long.'), 'Send less: a wrapper accepts 1 MiB of arguments.'],
])('%s → %s', (error, advice) => {
  expect(adviseOn(error, call)).toBe(advice)
})

test('advice for a command that only reads has no doubt whether it was done', () => {
  const reading = { ...call, command: 'getlistofusers' }
  expect(adviseOn(new PipeTimeoutError(700, true), reading)).toBe(
    'To wait longer: service-pipe getlistofusers --timeout 120',
  )
  expect(adviseOn(new PipeClosedError(true), reading)).toBe(
    'See whether it is still running: service-pipe list',
  )
  expect(adviseOn(new PipeRefusedError('ERR_TIMEOUT', 'x'), reading)).toBe('Repeat the command.')
})

test('before a command is known the advice is the general help', () => {
  expect(adviseOn(new UsageError('x'), { ...call, command: undefined })).toBe('See service-pipe --help')
})

test.each(commandErrorCodes)('the refusal %s has advice', code => {
  expect(adviseOn(new PipeRefusedError(code, 'It says so.'), call)).toMatch(
    /^[A-Z].*([.]|service-pipe [a-z].*|Wrapper\.exe doctor)$/,
  )
})

test.each<[CommandErrorCode, string, string]>([
  ['ERR_ARGS', 'openworkout', 'See what it takes: service-pipe openworkout --help'],
  ['ERR_NOT_FOUND', 'openworkout', 'Find the id of a workout: service-pipe getworkoutsforclient userid=…'],
  ['ERR_NOT_FOUND', 'setcustomid', 'Find the id of a person: service-pipe getlistofusers'],
  ['ERR_CLOSING', 'hide', 'Wait until it has exited, and start it again: service-pipe hide --start'],
])('the refusal %s of %s: %s', (code, command, advice) => {
  expect(adviseOn(new PipeRefusedError(code, 'x'), { ...call, command })).toBe(advice)
})

test.each([
  [2, ['ERR_USAGE', 'ERR_PIPE_AMBIGUOUS', 'ERR_FRAME']],
  [3, ['ERR_PIPE_NOT_FOUND', 'ERR_PIPE_NOT_INSTALLED', 'ERR_PIPE_START']],
  [4, ['ERR_PIPE_REFUSED', 'ERR_PIPE_TIMEOUT', 'ERR_PIPE_UNPROVEN', 'ERR_PIPE_TOO_OLD']],
])('the exit code %i belongs to %j', (exitCode, codes) => {
  expect(codes.map(exitCodeOf)).toEqual(codes.map(() => exitCode))
})
