import { Deadline } from '@service-link/protocol-core/time'
import { afterEach, describe, expect, test } from 'vitest'
import { ClassicChannel } from '../../src/classic/classic-channel.ts'
import { currentPlatform } from '../../src/platform/current-platform.ts'
import { startServer } from '../support/classic-server.ts'
import { deadPid } from '../support/processes.ts'

const platform: { tellsUnread: boolean } = currentPlatform
const { tellsUnread } = platform
afterEach(() => {
  platform.tellsUnread = tellsUnread
})

const deadline = new Deadline(60_000)

describe('a connection whose end does not show whether the request was read', () => {
  test('has an unknown effect when the wrapper has died', async () => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    const dead = { pid: deadPid(), address: server.address }
    await expect(new ClassicChannel(dead).request('hide', undefined, deadline)).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      wasSent: true,
      shouldRetry: false,
    })
  })

  test('is done when the wrapper lives on', async () => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    expect(await new ClassicChannel(server).request('hide', undefined, deadline)).toBeUndefined()
    expect(server.requests).toHaveLength(1)
  })

  test('close is done when the wrapper is gone', async () => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    const dead = { pid: deadPid(), address: server.address }
    expect(await new ClassicChannel(dead).request('close', undefined, deadline)).toBeUndefined()
  })
})

test('on other systems the end alone is enough', async () => {
  await using server = await startServer(socket => socket.end())
  platform.tellsUnread = true
  const dead = { pid: deadPid(), address: server.address }
  expect(await new ClassicChannel(dead).request('hide', undefined, deadline)).toBeUndefined()
})
