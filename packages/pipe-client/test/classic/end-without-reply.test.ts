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
const withoutReply = ['hide', 'show', 'openworkout', 'setcustomid'] as const

describe('a connection whose end does not show whether the request was read', () => {
  test.each(withoutReply)('%s has an unknown effect when the wrapper has died', async name => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    const dead = { pid: deadPid(), address: server.address }
    await expect(new ClassicChannel(dead).request(name, undefined, deadline)).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      wasSent: true,
      shouldRetry: false,
    })
  })

  test.each(withoutReply)('%s is done when the wrapper lives on', async name => {
    await using server = await startServer(socket => socket.end())
    platform.tellsUnread = false
    expect(await new ClassicChannel(server).request(name, undefined, deadline)).toBeUndefined()
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
