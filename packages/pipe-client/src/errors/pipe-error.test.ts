import { commandErrorCodes } from '@service-link/protocol-core/errors'
import { expect, test } from 'vitest'
import {
  PipeAmbiguousError,
  PipeClosedError,
  PipeNotFoundError,
  PipeOverflowError,
  PipeRefusedError,
  PipeReplyError,
  PipeTimeoutError,
  PipeUnsupportedError,
} from './pipe-error.ts'

test.each([
  [new PipeNotFoundError(), false],
  [new PipeTimeoutError(10, true), false],
  [new PipeTimeoutError(10, false), true],
  [new PipeClosedError(true), false],
  [new PipeClosedError(false, 'EMFILE'), true],
  [new PipeClosedError(false, undefined, true), false],
  [new PipeReplyError('x'), false],
  [new PipeReplyError('x', false), false],
  [new PipeReplyError('x', false, true), true],
  [new PipeReplyError('x', true, true), false],
])('%s: a retry of the same call is possible: %s', (error, shouldRetry) => {
  expect(error.shouldRetry).toBe(shouldRetry)
})

test('of refusals only those for a missing sign-in and for overload may be retried', () => {
  const retried = commandErrorCodes.filter(code => new PipeRefusedError(code, 'x').shouldRetry)
  expect(retried).toEqual(['ERR_NOT_SIGNED_IN', 'ERR_BUSY'])
})

test('a message gives advice', () => {
  expect(new PipeNotFoundError(12).message).toContain('process 12')
  expect(new PipeNotFoundError(undefined, [7, 8]).message).toContain('processes 7, 8')
  expect(new PipeAmbiguousError([1, 2]).message).toContain('1, 2')
  expect(new PipeTimeoutError(5, false, 'Its turn did not come').message).toBe(
    'Its turn did not come within 5 ms.',
  )
  expect(new PipeUnsupportedError('x', 2).message).toContain('version 2')
  expect(new PipeOverflowError(3).message).toContain('3 events')
  expect(new PipeClosedError(false, 'EMFILE').message).toContain('EMFILE')
})
