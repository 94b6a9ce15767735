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
  [new PipeTimeoutError(10, true, undefined, 'openworkout'), false],
  [new PipeTimeoutError(10, true, undefined, 'status'), true],
  [new PipeClosedError(true), false],
  [new PipeClosedError(true, undefined, 'lost', 'getlistofusers'), true],
  [new PipeClosedError(true, undefined, 'final', 'getlistofusers'), false],
  [new PipeClosedError(false, 'EMFILE'), true],
  [new PipeClosedError(false, undefined, 'final'), false],
  [new PipeClosedError(false, undefined, 'disconnected'), false],
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

const doubt = 'Whether the command had an effect is not known.'
const late = 'The wrapper did not answer within'
const signIn = 'Perhaps nobody is signed in: the wrapper waits 30000 ms for that before it says so.'

test.each<[Error, string]>([
  [new PipeTimeoutError(5, true, undefined, 'hide'), `${late} 5 ms. ${doubt}`],
  [new PipeTimeoutError(5, true, undefined, 'version'), `${late} 5 ms.`],
  [new PipeTimeoutError(5, true, undefined, 'getlistofusers'), `${late} 5 ms. ${signIn}`],
  [new PipeTimeoutError(30_000, true, undefined, 'openworkout'), `${late} 30000 ms. ${signIn} ${doubt}`],
  [new PipeTimeoutError(5, true, undefined, 'clearperson'), `${late} 5 ms. ${doubt}`],
  [new PipeTimeoutError(30_001, true, undefined, 'openworkout'), `${late} 30001 ms. ${doubt}`],
  [new PipeClosedError(false), 'The connection to the wrapper failed.'],
  [
    new PipeClosedError(false, undefined, 'disconnected'),
    'The client was disconnected. Connect anew with connectWrapper.',
  ],
  [
    new PipeClosedError(true, undefined, 'disconnected', 'show'),
    `The client was disconnected before the reply was complete. ${doubt}`,
  ],
  [
    new PipeClosedError(true, 'EPIPE', 'lost', 'status'),
    'The wrapper closed the connection before the reply was complete (EPIPE).',
  ],
  [new PipeNotFoundError(12), 'No wrapper runs as process 12. Start it, or leave the process id out.'],
])('%s', (error, sentence) => {
  expect(error.message).toBe(sentence)
})

test('a message gives advice', () => {
  expect(new PipeNotFoundError(undefined, [7, 8]).message).toContain('processes 7, 8')
  expect(new PipeAmbiguousError([1, 2]).message).toContain('1, 2')
  expect(new PipeTimeoutError(5, false, 'Its turn did not come').message).toBe(
    'Its turn did not come within 5 ms.',
  )
  expect(new PipeUnsupportedError('x', 2).message).toContain('version 2')
  expect(new PipeOverflowError(3).message).toContain('3 events')
  expect(new PipeClosedError(false, 'EMFILE').message).toContain('EMFILE')
})
