import { expect, test, vi } from 'vitest'
import type { Channel } from '../connection/channel.ts'
import { PipeNotFoundError, PipeNotInstalledError, PipeStartError } from '../errors/pipe-error.ts'
import { Reconnection } from './reconnection.ts'

const channel = {} as Channel
const { signal } = new AbortController()

test.each([
  ['a call', 'that starts no wrapper', true, new PipeNotFoundError(undefined)],
  ['a reader of events', 'that cannot start one', false, new PipeNotInstalledError('None is installed.')],
  ['a reader of events', 'whose wrapper refuses', false, new PipeStartError('Refused.', 2)],
])('%s tries again by itself after an attempt %s', async (_who, _which, mayStart, failure) => {
  const joined = Promise.withResolvers<Channel>()
  const connection = new Reconnection(channel, (_signal, starts) =>
    starts === mayStart ? Promise.resolve(channel) : joined.promise,
  )
  const other = expect(connection.open(signal, !mayStart)).rejects.toBe(failure)
  const own = connection.open(signal, mayStart)
  joined.reject(failure)
  await other
  expect(await own).toBe(channel)
})

test('a connection that comes after the client was closed is closed, and no call gets it', async () => {
  const made = Promise.withResolvers<Channel>()
  const close = vi.fn(async () => undefined)
  const connection = new Reconnection({ close } as Partial<Channel> as Channel, () => made.promise)
  const opening = connection.open(signal)
  const closing = connection.close()
  const late = { close: vi.fn(async () => undefined) }
  made.resolve(late as Partial<Channel> as Channel)
  await expect(opening).rejects.toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: false })
  await closing
  expect(late.close).toHaveBeenCalledOnce()
})
