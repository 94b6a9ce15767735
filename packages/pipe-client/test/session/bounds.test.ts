import { Deadline } from '@service-link/protocol-core/time'
import { describe, expect, test, vi } from 'vitest'
import { connectChannel } from '../../src/client/connect-wrapper.ts'
import { connectWrapper } from '../../src/index.ts'
import { type SessionAnswer, startSessionServer, until } from '../support/session-server.ts'

const silent: SessionAnswer = () => {}
const answering: SessionAnswer = (connection, request) => connection.reply(request, '3.0.0.0')
const keepingHide: SessionAnswer = (connection, request) => {
  if (request.Method !== 'hide') connection.reply(request, '3.0.0.0')
}
const reason = new Error('Never mind.')

describe('an aborted call', () => {
  test('is not sent when aborted in the same turn', async () => {
    await using server = await startSessionServer(answering)
    await using client = await connectWrapper({ brand: server.brand })
    const controller = new AbortController()
    const call = client.hide({ signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await client.version()
    expect(server.methods()).toEqual(['hello', 'version'])
  })

  test('is never sent when aborted in the queue', async () => {
    await using server = await startSessionServer(keepingHide, { hello: { maxinflight: 1 } })
    await using client = await connectWrapper({ brand: server.brand })
    const controller = new AbortController()
    const holding = client.hide()
    const call = client.show({ signal: controller.signal })
    const later = client.openWorkout(1)
    await until(() => expect(server.methods()).toEqual(['hello', 'hide']))
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    server.first.reply(server.first.requests[1] ?? { Id: 0, Method: '' })
    await holding
    await later
    expect(server.methods()).toEqual(['hello', 'hide', 'openworkout'])
  })

  test('settles at once when aborted at the wrapper, and is canceled there', async () => {
    await using server = await startSessionServer(silent)
    await using client = await connectWrapper({ brand: server.brand })
    const controller = new AbortController()
    const call = client.hide({ signal: controller.signal })
    await until(() => expect(server.methods()).toEqual(['hello', 'hide']))
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await until(() => expect(server.methods()).toEqual(['hello', 'hide', 'cancel']))
    const [, hide, cancel] = server.first.requests
    expect(cancel?.Args).toEqual({ id: hide?.Id })
  })

  test('still counts as one of the wrapper’s until its answer', async () => {
    await using server = await startSessionServer(keepingHide, { hello: { maxinflight: 1 } })
    await using client = await connectWrapper({ brand: server.brand })
    const controller = new AbortController()
    const call = client.hide({ signal: controller.signal })
    const next = client.openWorkout(1)
    await until(() => expect(server.methods()).toContain('hide'))
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await until(() => expect(server.methods()).toContain('cancel'))
    expect(server.methods()).not.toContain('openworkout')
    server.first.fail(server.first.requests[1] ?? { Id: 0, Method: '' }, 'ERR_CANCELLED')
    await next
    expect(server.methods()).toContain('openworkout')
  })

  test('leaves no listener on the signal, however it ends', async () => {
    await using server = await startSessionServer(answering)
    await using client = await connectWrapper({ brand: server.brand })
    const { signal } = new AbortController()
    let listenerCount = 0
    const add = vi.spyOn(signal, 'addEventListener').mockImplementation(() => void listenerCount++)
    const remove = vi.spyOn(signal, 'removeEventListener').mockImplementation(() => void listenerCount--)
    await client.version({ signal })
    await client.hide({ signal })
    await client.getListOfUsers({}, { signal }).catch(() => {})
    expect(add).toHaveBeenCalledTimes(3)
    expect(remove).toHaveBeenCalledTimes(3)
    expect(listenerCount).toBe(0)
  })
})

describe('a call after its time-out', () => {
  test('rejects, is canceled, and has an unknown effect', async () => {
    await using server = await startSessionServer(silent)
    await using client = await connectWrapper({ brand: server.brand })
    await expect(client.hide({ timeoutMs: 30 })).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      waitedMs: 30,
      wasSent: true,
      shouldRetry: false,
    })
    await until(() => expect(server.methods()).toEqual(['hello', 'hide', 'cancel']))
  })

  test('was not sent when it waited in the queue, and may be made again', async () => {
    await using server = await startSessionServer(silent, { hello: { maxinflight: 1 } })
    await using client = await connectWrapper({ brand: server.brand })
    const holding = client.hide().catch(error => error)
    const call = client.show({ timeoutMs: 30 })
    await expect(call).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      wasSent: false,
      shouldRetry: true,
      message: expect.stringContaining('its turn did not come within 30 ms'),
    })
    await client.disconnect()
    expect(await holding).toMatchObject({ code: 'ERR_PIPE_CLOSED', wasSent: true })
    expect(server.methods()).toEqual(['hello', 'hide'])
  })

  test('is not canceled where the wrapper answers at once', async () => {
    await using server = await startSessionServer((connection, request) => {
      if (request.Method !== 'status') connection.reply(request, '3.0.0.0')
    })
    await using client = await connectWrapper({ brand: server.brand })
    await expect(client.status({ timeoutMs: 20 })).rejects.toMatchObject({ code: 'ERR_PIPE_TIMEOUT' })
    await client.version()
    expect(server.methods()).toEqual(['hello', 'status', 'version'])
  })

  test('is not sent when its time was over before', async () => {
    await using server = await startSessionServer(answering)
    const { channel } = await connectChannel({ brand: server.brand }, undefined, [])
    const deadline = new Deadline(1)
    await until(() => expect(deadline.isOver).toBe(true))
    await expect(channel.request('hide', undefined, deadline)).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      wasSent: false,
    })
    await channel.close()
    expect(server.methods()).toEqual(['hello'])
  })

  test('has its own time, independent of other calls', async () => {
    await using server = await startSessionServer(silent)
    const client = await connectWrapper({ brand: server.brand })
    const ended: number[] = []
    const calls = [60, 20, 2 ** 31 - 1, 40, 2 ** 31 - 1].map(timeoutMs =>
      client.hide({ timeoutMs }).catch(error => ended.push(error.waitedMs ?? 0)),
    )
    // Calls whose time is over in the same moment end in their order.
    await until(() => expect(ended.toSorted()).toEqual([20, 40, 60]))
    await client.disconnect()
    await Promise.all(calls)
    expect(ended.slice(3)).toEqual([0, 0])
  })
})
