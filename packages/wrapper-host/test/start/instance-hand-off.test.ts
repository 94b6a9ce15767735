import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { ArgsError, ClosingError, ServiceLinkError } from '@service-link/protocol-core'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { decodeJson, encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test } from 'vitest'
import type { TakeLaunch } from '../../src/launch/launch-offers.ts'
import { claimInstance } from '../../src/start/claim-instance.ts'
import { handOff } from '../../src/start/hand-off.ts'
import { PrivateServer, type PrivateServerOptions } from '../../src/start/private-server.ts'
import {
  claimAsWrapper,
  dialProven,
  newPlace,
  provingFrame,
  taken,
  testKey,
} from '../support/instance-place.ts'
import { socketAddress, whenClosed } from '../support/pipe.ts'

const request = (id = randomUUID()) => ({ launch: { id, argv: ['id=1'], workingDirectory: '/' } })

async function listen(take: TakeLaunch, options: Partial<PrivateServerOptions> = {}) {
  const folder = await temporaryFolder()
  const address = socketAddress(folder.path)
  const server = await PrivateServer.listen(address, { key: testKey, take, ...options })
  return {
    address,
    key: testKey,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** A server that answers each connection by a function, at an address of a new folder. */
async function listener(answer: (socket: Socket) => unknown) {
  const folder = await temporaryFolder()
  const sockets = new Set<Socket>()
  const address = socketAddress(folder.path)
  const heard = Promise.withResolvers<void>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    heard.resolve()
    answer(socket)
  }).listen(address)
  await once(server, 'listening')
  return {
    address,
    key: testKey,
    /** Resolves with the first connection. */
    heard: heard.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

describe('hand-off', () => {
  test('a refused launch returns code and message', async () => {
    await using at = await listen(() =>
      Promise.reject(new ArgsError([{ path: 'lastname', problem: 'is missing' }])),
    )
    expect(await handOff(at, request())).toEqual({
      status: 'refused',
      code: 'ERR_ARGS',
      message: 'Arguments not accepted: lastname is missing.',
      docsUrl: docsUrlOf('ERR_ARGS'),
    })
  })

  test('a code of an integrator’s provider has no address of ours', async () => {
    class JournalError extends ServiceLinkError {
      readonly code = 'ERR_JOURNAL_AWAY'
    }
    await using at = await listen(() => Promise.reject(new JournalError('The journal is away.')))
    expect(await handOff(at, request())).toEqual({
      status: 'refused',
      code: 'ERR_JOURNAL_AWAY',
      message: 'The journal is away.',
    })
  })

  test('an unexpected failure is refused without its words', async () => {
    await using at = await listen(() => Promise.reject(new Error('Kari Nordmann')))
    const outcome = await handOff(at, request())
    expect(outcome).toMatchObject({ status: 'refused', code: 'ERR_INTERNAL' })
    expect(JSON.stringify(outcome)).not.toContain('Nordmann')
  })

  test('a closing wrapper takes nothing: the next one may get the launch', async () => {
    await using at = await listen(() => Promise.reject(new ClosingError()))
    expect(await handOff(at, request())).toBeUndefined()
  })

  test('a waiting launch ends when its commands were taken or one failed', async () => {
    const ends = [Promise.withResolvers<object>(), Promise.withResolvers<object>()]
    const order: string[] = []
    let next = 0
    await using at = await listen(async () => {
      const end = ends[next++]
      setImmediate(() => {
        order.push('taken')
        if (next === 1) end?.resolve({})
        else end?.reject(new ClosingError())
      })
      return { waits: true, completed: end?.promise ?? Promise.resolve({}) }
    })
    expect(await handOff(at, request())).toEqual({ status: 'completed' })
    order.push('over')
    expect(await handOff(at, request())).toMatchObject({ status: 'refused', code: 'ERR_CLOSING' })
    expect(order).toEqual(['taken', 'over', 'taken'])
  })

  test('a waiting launch at the wrapper’s close gets an error, and starts no new wrapper', async () => {
    const end = Promise.withResolvers<object>()
    const begun = Promise.withResolvers<void>()
    await using at = await listen(async () => {
      setImmediate(begun.resolve)
      return { waits: true, completed: end.promise }
    })
    const waiting = handOff(at, request())
    await begun.promise
    end.reject(new ClosingError())
    await at.server[Symbol.asyncDispose]()
    expect(await waiting).toMatchObject({ status: 'refused', code: 'ERR_CLOSING' })
  })

  test('a wrapper that ends during a waiting launch: taken, not to be offered again', async () => {
    await using at = await listener(socket => {
      socket.write(provingFrame)
      socket.on('data', chunk => {
        if (String(chunk).includes('launch'))
          socket.end(encodeFrame(JSON.stringify({ status: 'accepted', pid: 1, waits: true })))
      })
    })
    await expect(handOff(at, request())).rejects.toMatchObject({ code: 'ERR_HAND_OFF_LOST' })
  })

  test('a waiting launch without an end in time was taken and may still run', async () => {
    const end = Promise.withResolvers<object>()
    let answered: Promise<void> | undefined
    await using at = await listen(async (_launch, told) => {
      answered = told
      return { waits: true, completed: end.promise }
    })
    await expect(handOff(at, request(), { endTimeoutMs: 30 })).rejects.toMatchObject({
      code: 'ERR_WAIT_TIMEOUT',
      waitedMs: 30,
    })
    await expect(answered).resolves.toBeUndefined()
    end.resolve({})
  })

  test('a missing wrapper, or one gone before the answer: not taken', async () => {
    await using at = await listener(socket => socket.destroy())
    expect(await handOff(at, request())).toBeUndefined()
    expect(await handOff({ address: `${at.address}.none`, key: testKey }, request())).toBeUndefined()
  })

  test('a wrapper that connects and never answers is an error, not a lost launch', async () => {
    await using at = await listener(socket => socket.write(provingFrame))
    // The proof must come within this time, too.
    const handing = handOff(at, request(), { acceptTimeoutMs: 500 })
    await expect(handing).rejects.toMatchObject({ code: 'ERR_HAND_OFF_TIMEOUT' })
  })

  test.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a negative length', Buffer.from([255, 255, 255, 255])],
    ['no launch', Buffer.from(encodeFrame('{"launch":{"id":"x"}}'))],
    ['no JSON', Buffer.from(encodeFrame('{'))],
  ])('%s is refused, and the next launch is taken', async (_title, bytes) => {
    await using at = await listen(async () => taken)
    const { socket, bytes: received } = await dialProven(at.address)
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    socket.write(bytes)
    await whenClosed(socket)
    const answers = decoder.push(Buffer.concat(received)).map(body => decodeJson(body))
    expect(answers).toMatchObject([
      { status: 'refused', code: expect.stringMatching(/^ERR_(FRAME|ARGS|JSON)$/) },
    ])
    expect(await handOff(at, request())).toMatchObject({ status: 'accepted' })
  })

  test('a connection that sends its launch in single bytes is ended after its time', async () => {
    // Enough for the proof on a busy machine.
    await using at = await listen(async () => taken, { requestLimitMs: 2000 })
    const { socket } = await dialProven(at.address)
    socket.write(encodeFrame(JSON.stringify(request())).subarray(0, 5))
    const trickling = setInterval(() => socket.write(' '), 5)
    await whenClosed(socket)
    clearInterval(trickling)
  })

  test('a connection that stays after its answer is ended', async () => {
    await using at = await listen(async () => taken, { lastAnswersMs: 50 })
    const socket = connect({ path: at.address, allowHalfOpen: true })
    socket.write(encodeFrame(JSON.stringify({ ask: testKey.ask })))
    socket.write(encodeFrame(JSON.stringify(request())))
    socket.resume()
    await once(socket, 'end')
    const writing = setInterval(() => socket.write(' '), 5)
    const [error] = await once(socket, 'error').catch(reason => [reason])
    clearInterval(writing)
    expect(error).toMatchObject({ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) })
  })
})

describe('claimInstance', () => {
  test('gives up a silent listener with the signal', async () => {
    await using at = await newPlace()
    await using silent = await listener(socket => socket.resume().write(provingFrame))
    await at.publish(silent.address)
    const giveUp = new AbortController()
    const claiming = claimInstance(at.place, request(), { signal: giveUp.signal })
    await silent.heard
    giveUp.abort(new Error('given up'))
    await expect(claiming).rejects.toThrow('given up')
  })

  test('[1-single-instance] fails while the holder takes no launch, and frees the instance', async () => {
    await using at = await newPlace()
    const holder = await claimAsWrapper(at.place)
    const busy = { code: 'ERR_INSTANCE_BUSY', waitedMs: 30 }
    await expect(claimInstance(at.place, request(), { timeoutMs: 30 })).rejects.toMatchObject(busy)
    await holder.release()
    await using _next = await claimAsWrapper(at.place)
  })
})
