import { expect, test, vi } from 'vitest'
import type { Channel } from '../connection/channel.ts'
import { Reconnection } from './reconnection.ts'

function channelOf(isOpen: boolean) {
  return {
    mode: 'session',
    wrapper: { pid: 1, address: '' },
    isOpen,
    request: () => Promise.reject(new Error('No call was expected.')),
    openEvents: () => ({ next: async () => ({ done: true, value: undefined }) }),
    close: vi.fn(async () => undefined),
  } satisfies Channel
}

test('a connection that comes after the client was closed is closed, and no call gets it', async () => {
  const made = Promise.withResolvers<Channel>()
  const connection = new Reconnection(channelOf(false), () => made.promise)
  const opening = connection.open(new AbortController().signal)
  const closing = connection.close()
  const late = channelOf(true)
  made.resolve(late)
  await expect(opening).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false })
  await closing
  expect(late.close).toHaveBeenCalledOnce()
})
