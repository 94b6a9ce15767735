import { randomUUID } from 'node:crypto'
import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectWrapper, findWrappers } from '../../src/index.ts'
import { classicModeOf } from '../support/classic-mode.ts'
import { startServer, withVersion } from '../support/classic-server.ts'
import { addressOf, close, listen, uniqueBrand } from '../support/pipe-places.ts'
import { deadPid, startFrozenListener } from '../support/processes.ts'
import { publish } from '../support/records.ts'

const isPosix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0
const answering = withVersion(socket => socket.end())

/** Leaves a socket file behind without a listener. */
async function leaveStaleSocket(address: string): Promise<void> {
  const server = createServer()
  await listen(server, `${address}.new`)
  renameSync(`${address}.new`, address)
  await close(server)
}

describe('findWrappers', () => {
  test('[4.5-name] finds listeners under the brand’s name with a process id', async () => {
    await using server = await startServer(answering)
    expect(await findWrappers({ brand: server.brand })).toMatchObject([
      { pid: process.pid, version: '3.0.0.0' },
    ])
  })

  test('finds several, in the order of their process ids', async () => {
    await using one = await startServer(answering)
    await using other = await startServer(answering, { brand: one.brand, pid: process.ppid })
    const pids = [one.pid, other.pid].sort((a, b) => a - b)
    expect((await findWrappers({ brand: one.brand })).map(({ pid }) => pid)).toEqual(pids)
  })

  test('stops with its signal’s reason', async () => {
    await using server = await startServer(answering)
    const reason = new Error('Never mind.')
    const aborted = findWrappers({ brand: server.brand, signal: AbortSignal.abort(reason) })
    await expect(aborted).rejects.toBe(reason)
    const controller = new AbortController()
    const finding = findWrappers({ brand: server.brand, signal: controller.signal })
    controller.abort(reason)
    await expect(finding).rejects.toBe(reason)
  })

  test('only opens a connection to a wrapper, without a request', async () => {
    await using server = await startServer(answering)
    await findWrappers({ brand: server.brand })
    expect(server.requests).toEqual([])
    expect(await (await connectWrapper({ brand: server.brand })).version()).toBe('3.0.0.0')
  })
})

test.each<[string, object]>([
  ['options.brand.pipePrefix', { brand: { ...uniqueBrand(), pipePrefix: 7 } }],
  ['options.signal.addEventListener', { signal: { throwIfAborted() {} } }],
  ['options.signal', { signal: new AbortController() }],
  ['options.timeout', { timeout: 5 }],
])('a wrong %s is named', async (parameter, options) => {
  for (const call of [findWrappers, connectWrapper])
    await expect(call(options)).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter })
})

describe('connectWrapper', () => {
  test('names a folder without a wrapper', async () => {
    const userFolder = join(tmpdir(), `no-folder-${randomUUID()}`)
    await expect(connectWrapper({ userFolder })).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_FOUND',
      message: `No wrapper runs with the userFolder ${userFolder}.`,
    })
  })

  test('takes the only running wrapper', async () => {
    await using server = await startServer(answering)
    const client = await connectWrapper({ brand: server.brand })
    expect(client.wrapper).toMatchObject({ pid: process.pid })
    await client.hide()
    expect(server.requests.map(({ Method }) => Method)).toEqual(['hide'])
  })

  test('fails when none runs', async () => {
    const failure = connectWrapper({ brand: uniqueBrand() })
    await expect(failure).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND', pid: undefined })
  })

  test('fails at once when the process has exited', async () => {
    const pid = deadPid()
    const failure = connectWrapper({ brand: uniqueBrand(), pid })
    await expect(failure).rejects.toMatchObject({ code: 'ERR_PIPE_NOT_FOUND', pid })
  })

  test.runIf(isPosix)('fails when the process left its socket behind', async () => {
    const brand = uniqueBrand()
    const pid = deadPid()
    await leaveStaleSocket(addressOf(brand, pid))
    for (const mode of ['session', 'classic'] as const)
      await expect(connectWrapper({ brand, pid, mode })).rejects.toMatchObject({
        code: 'ERR_PIPE_NOT_FOUND',
        pid,
      })
    rmSync(addressOf(brand, pid))
  })

  test('fails in time when the process runs without a pipe', async () => {
    // Long enough for the first attempt: before it the error would differ.
    const failure = connectWrapper({ brand: uniqueBrand(), pid: process.pid, timeoutMs: 300 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_FOUND',
      pid: process.pid,
      message: `Process ${process.pid} runs, and publishes no record of a wrapper. A wrapper before 3.0.0.0, or of another maker, needs the mode classic.`,
    })
  })

  test('does not blame a process id that the caller has not given', async () => {
    const brand = uniqueBrand()
    using published = publish(brand, { address: addressOf(brand) })
    const failure = connectWrapper({ brand, timeoutMs: 300 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_FOUND',
      pid: undefined,
      message: `Process ${published.record.pid} runs, and nothing listens at its pipe: it is ending, is stuck, or is no wrapper.`,
    })
  })

  test('waits for the pipe of a starting wrapper', async () => {
    const brand = uniqueBrand()
    const connecting = connectWrapper({ brand, pid: process.pid })
    await using server = await startServer(answering, { brand })
    expect((await connecting).wrapper.pid).toBe(server.pid)
  })

  test('stops waiting with its signal’s reason', async () => {
    const controller = new AbortController()
    const reason = new Error('Never mind.')
    const connecting = connectWrapper({ brand: uniqueBrand(), pid: process.pid, signal: controller.signal })
    setImmediate(() => controller.abort(reason))
    await expect(connecting).rejects.toBe(reason)
  })

  test('does not search when its signal is already aborted', async () => {
    const reason = new Error('Never mind.')
    await expect(connectWrapper({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test.each(['session', 'classic'] as const)(
    '[8-minimum-version] in mode %s takes the first version with the pipe, and none before it',
    async mode => {
      const connectTo = async (version: string) => {
        await using server = await startServer(withVersion(socket => socket.end(), version))
        return await connectWrapper({ brand: server.brand, pid: server.pid, mode })
      }
      await connectTo('2.1.4.19787')
      await expect(connectTo('2.1.4.19786')).rejects.toMatchObject({
        code: 'ERR_PIPE_TOO_OLD',
        wrapperVersion: '2.1.4.19786',
        message: expect.stringContaining('2.1.4.19787'),
      })
      await expect(connectTo('three')).rejects.toMatchObject({ code: 'ERR_PIPE_REPLY' })
    },
  )

  test('in classic mode sends nothing of the caller’s before the version was told', async () => {
    await using server = await startServer(() => {})
    const failure = connectWrapper({ brand: server.brand, pid: server.pid, mode: 'classic', timeoutMs: 100 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      wasSent: false,
      shouldRetry: true,
    })
    expect(server.requests.map(({ Method }) => Method)).toEqual(['version'])
  })

  test.runIf(isPosix)('refuses a file in place of the socket', async () => {
    const brand = uniqueBrand()
    writeFileSync(addressOf(brand), '')
    try {
      const failure = connectWrapper({ brand, pid: process.pid, mode: 'classic' })
      await expect(failure).rejects.toMatchObject({ code: 'ERR_PIPE_DENIED' })
    } finally {
      rmSync(addressOf(brand))
    }
  })

  test.runIf(isPosix && isRoot)('sends nothing to another user’s socket', async () => {
    await using server = await startServer(answering)
    chownSync(server.address, 65_534, 65_534)
    const { brand, pid } = server
    await expect(connectWrapper({ brand, pid, mode: 'classic' })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining('another user'),
    })
    expect(server.byteCount()).toBe(0)
  })
})

test('each call reaches a wrapper that makes its pipe anew for each client', async () => {
  const callCount = 50
  const brand = uniqueBrand()
  const address = addressOf(brand)
  const served: string[] = []
  let isStopping = false
  let current = createServer()
  const serveOne = async (): Promise<void> => {
    if (isStopping) return
    current = createServer(socket => {
      socket.once('data', chunk => {
        served.push(JSON.parse(Buffer.from(chunk).toString('utf8', 4)).Args.id)
        // As in .NET, the pipe exists until its client was served.
        void close(current).then(serveOne)
        socket.end()
      })
      socket.on('error', () => {})
    })
    await listen(current, address)
  }
  await serveOne()
  const client = classicModeOf({ pid: process.pid, address })
  for (let id = 0; id < callCount; id++) await client.openWorkout(id)
  isStopping = true
  await close(current)
  expect(served).toEqual(Array.from({ length: callCount }, (_, id) => id))
})

test.runIf(process.platform === 'linux')(
  'a hanging wrapper with a full queue has received nothing, so a retry is safe',
  async () => {
    const brand = uniqueBrand()
    await using child = await startFrozenListener(pid => addressOf(brand, pid))
    const address = addressOf(brand, child.pid)
    await using _queue = await fillQueue(address)
    const failure = connectWrapper({ brand, pid: child.pid, mode: 'classic', timeoutMs: 50 })
    await expect(failure).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      wasSent: false,
      shouldRetry: true,
    })
    rmSync(address)
  },
)

/** Connects until the operating system has no room for further unaccepted connections. */
async function fillQueue(address: string): Promise<AsyncDisposable> {
  const sockets: Socket[] = []
  const open = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(address)
      sockets.push(socket)
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    })
  while (await open());
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
