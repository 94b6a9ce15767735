import { commandErrorCodes } from '@service-link/protocol-core/errors'
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
} from './pipe-error.ts'

const all = [
  [new PipeNotFoundError(), 'ERR_PIPE_NOT_FOUND', false],
  [new PipeNotFoundError(12), 'ERR_PIPE_NOT_FOUND', false],
  [new PipeAmbiguousError([1, 2]), 'ERR_PIPE_AMBIGUOUS', false],
  [new PipeDeniedError('x'), 'ERR_PIPE_DENIED', false],
  [new PipeUnprovenError(1), 'ERR_PIPE_UNPROVEN', false],
  [new PipeTimeoutError(10, true), 'ERR_PIPE_TIMEOUT', false],
  [new PipeTimeoutError(10, false), 'ERR_PIPE_TIMEOUT', true],
  [new PipeClosedError(true), 'ERR_PIPE_CLOSED', false],
  [new PipeClosedError(false, 'EMFILE'), 'ERR_PIPE_CLOSED', true],
  [new PipeClosedError(false, undefined, true), 'ERR_PIPE_CLOSED', false],
  [new PipeReplyError('x'), 'ERR_PIPE_REPLY', false],
  [new PipeReplyError('x', false), 'ERR_PIPE_REPLY', false],
  [new PipeReplyError('x', false, true), 'ERR_PIPE_REPLY', true],
  [new PipeReplyError('x', true, true), 'ERR_PIPE_REPLY', false],
  [new PipeRefusedError('ERR_ARGS', 'x'), 'ERR_PIPE_REFUSED', false],
  [new PipeRefusedError('ERR_NOT_SIGNED_IN', 'x'), 'ERR_PIPE_REFUSED', true],
  [new PipeRefusedError('ERR_BUSY', 'x'), 'ERR_PIPE_REFUSED', true],
  [new PipeUnsupportedError('x'), 'ERR_PIPE_UNSUPPORTED', false],
  [new PipeNotInstalledError('x'), 'ERR_PIPE_NOT_INSTALLED', false],
  [new PipeStartError('x'), 'ERR_PIPE_START', false],
  [new PipeStartError('x', 2), 'ERR_PIPE_START', false],
  [new PipeOverflowError(3), 'ERR_PIPE_OVERFLOW', false],
  [new PipeTooOldError('1.0.0.0', '2.1.4.19787'), 'ERR_PIPE_TOO_OLD', false],
] as const

describe('errors of the pipe', () => {
  test.each(all)(
    '%s has the code %s; a retry of the same call is possible: %s',
    (error, code, shouldRetry) => {
      expect(error).toMatchObject({ code, shouldRetry })
    },
  )

  test('only refusals for a missing sign-in and for overload may be retried', () => {
    const retried = commandErrorCodes.filter(code => new PipeRefusedError(code, 'x').shouldRetry)
    expect(retried).toEqual(['ERR_NOT_SIGNED_IN', 'ERR_BUSY'])
  })

  test('a message gives advice', () => {
    expect(new PipeNotFoundError(12).message).toContain('process 12')
    expect(new PipeAmbiguousError([1, 2]).message).toContain('1, 2')
    expect(new PipeTimeoutError(5, false, 'Its turn did not come').message).toBe(
      'Its turn did not come within 5 ms.',
    )
    expect(new PipeUnsupportedError('x', 2).message).toContain('version 2')
    expect(new PipeOverflowError(3).message).toContain('3 events')
    expect(new PipeClosedError(false, 'EMFILE').message).toContain('EMFILE')
  })
})
