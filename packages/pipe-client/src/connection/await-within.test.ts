import { afterEach, expect, test } from 'vitest'
import { awaitWithin } from './await-within.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
afterEach(() => {
  process.off('unhandledRejection', note)
  unhandled.length = 0
})

test.each([
  ['aborted already', AbortSignal.abort('aborted'), 60_000, 'aborted'],
  ['over before it began', undefined, 0, expect.objectContaining({ code: 'ERR_PIPE_TIMEOUT' })],
])(
  'what fails after a wait that was %s is no rejection that nobody has',
  async (_, signal, timeoutMs, reason) => {
    process.on('unhandledRejection', note)
    let fail = (_reason: unknown) => {}
    const promise = new Promise((_resolve, reject) => {
      fail = reject
    })
    const bounds = { timeoutMs, spentMs: 0, signal }
    expect(await awaitWithin(promise, bounds).catch((error: unknown) => error)).toEqual(reason)
    fail('failed later')
    // Rejections that nobody has are told when the queue of microtasks is empty.
    await new Promise(done => setImmediate(done))
    expect(unhandled).toEqual([])
  },
)
