import { afterEach, describe, expect, test } from 'vitest'
import { requestClassic } from '../src/classic/request-classic.ts'
import { currentPlatform } from '../src/platform/current-platform.ts'
import { startServer } from './_classic-server.ts'
import { deadPid } from './_processes.ts'

const platform: { tellsUnread: boolean } = currentPlatform
const { tellsUnread } = platform
afterEach(() => {
  platform.tellsUnread = tellsUnread
})

const bounds = { timeoutMs: 60_000, spentMs: 0, signal: undefined }
const withoutReply = ['hide', 'show', 'openworkout', 'setcustomid'] as const

describe('where the end of a connection does not tell whether the request was read', () => {
  test.each(withoutReply)('%s has had no known effect when the wrapper has died', async name => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    const dead = { pid: deadPid(), address: server.address }
    await expect(requestClassic(dead, name, undefined, bounds)).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      wasSent: true,
      shouldRetry: false,
    })
  })

  test.each(withoutReply)('%s is done when the wrapper lives on', async name => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    expect(await requestClassic(server, name, undefined, bounds)).toBeUndefined()
    expect(server.requests).toHaveLength(1)
  })

  test('close is done when the wrapper is gone', async () => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    const dead = { pid: deadPid(), address: server.address }
    expect(await requestClassic(dead, 'close', undefined, bounds)).toBeUndefined()
  })
})

test('where it tells, an end is enough', async () => {
  await using server = await startServer(socket => socket.end())
  platform.tellsUnread = true
  const dead = { pid: deadPid(), address: server.address }
  expect(await requestClassic(dead, 'hide', undefined, bounds)).toBeUndefined()
})
