import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../src/index.ts'
import { currentPlatform } from '../src/platform/current-platform.ts'
import { startServer, withVersion } from './_classic-server.ts'

afterEach(() => void vi.restoreAllMocks())

const answering = withVersion(socket => socket.end())

describe('the search for a wrapper', () => {
  test('has the time-out and the signal of connecting, whatever the operating system takes', async () => {
    await using server = await startServer(answering)
    const { brand } = server
    for (const phase of ['listPipes', 'loginSessionsOf'] as const) {
      const hanging = vi.spyOn(currentPlatform, phase).mockReturnValue(new Promise<never>(() => {}))
      await expect(connectWrapper({ brand, timeoutMs: 50 })).rejects.toMatchObject({
        code: 'ERR_PIPE_TIMEOUT',
        waitedMs: 50,
        wasSent: false,
        message: expect.stringContaining('search'),
      })
      const controller = new AbortController()
      const reason = new Error('Never mind.')
      const aborted = connectWrapper({ brand, signal: controller.signal, startIfNeeded: true })
      controller.abort(reason)
      await expect(aborted).rejects.toBe(reason)
      hanging.mockRestore()
    }
    expect(server.requests).toEqual([])
  })

  test('gives those that tell a session the time that is left, and the signal', async () => {
    await using server = await startServer(answering)
    const tell = vi
      .spyOn(currentPlatform, 'loginSessionsOf')
      .mockResolvedValue(new Map([[process.pid, ':1']]))
    const { signal } = new AbortController()
    await using _client = await connectWrapper({ brand: server.brand, timeoutMs: 20_000, signal })
    for (const [, bounds] of tell.mock.calls) {
      expect(bounds?.signal).toBe(signal)
      expect(bounds?.timeoutMs).toBeLessThanOrEqual(20_000)
    }
    expect(tell).toHaveBeenCalled()
  })

  test('takes no wrapper whose login session cannot be told, names it, and starts none beside it', async () => {
    await using server = await startServer(answering)
    vi.spyOn(currentPlatform, 'loginSessionsOf').mockResolvedValue(new Map())
    for (const startIfNeeded of [false, true])
      await expect(connectWrapper({ brand: server.brand, startIfNeeded })).rejects.toMatchObject({
        code: 'ERR_PIPE_AMBIGUOUS',
        pids: [server.pid],
        message: expect.stringContaining('cannot be told'),
      })
    expect(server.requests).toEqual([])
    await using client = await connectWrapper({ brand: server.brand, pid: server.pid })
    expect(client.wrapper.pid).toBe(server.pid)
  })
})
