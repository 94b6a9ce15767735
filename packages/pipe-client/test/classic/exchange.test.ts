import { createServer, type Socket } from 'node:net'
import { encodeFrame } from '@service-link/protocol-core/frame'
import { describe, expect, test, vi } from 'vitest'
import { exchange } from '../../src/classic/exchange.ts'
import type { WrapperClient } from '../../src/index.ts'
import { currentPlatform } from '../../src/platform/current-platform.ts'
import { classicModeOf } from '../support/classic-mode.ts'
import { type Answer, type ClassicServer, reply, startServer } from '../support/classic-server.ts'
import { addressOf, close, listen, uniqueBrand } from '../support/pipe-places.ts'
import { deadPid } from '../support/processes.ts'

/** A client of the server that skips the version question. */
function clientOf({ pid, address }: ClassicServer): WrapperClient {
  return classicModeOf({ pid, address })
}

const usersFrame = Buffer.from(encodeFrame('[{"id":1,"firstname":"Åse 😀"}]'))
const users = [{ id: 1, firstname: 'Åse 😀' }]

describe('a reply', () => {
  const afterwards: [string, (socket: Socket) => void][] = [
    ['the connection stays open', () => {}],
    ['the connection breaks', socket => socket.destroy()],
    ['further bytes come that are no frame', socket => socket.end(Buffer.from('ffffffff00', 'hex'))],
  ]
  test.each(afterwards)('that is complete counts, even when %s', async (_, end) => {
    await using server = await startServer(socket => socket.write(usersFrame, () => end(socket)))
    expect(await clientOf(server).getListOfUsers()).toEqual(users)
  })

  test('to a command without one may be a closed connection, or anything but a failure', async () => {
    await using closing = await startServer(socket => socket.end())
    await using talking = await startServer(socket => reply(socket, 'done'))
    expect(await clientOf(closing).hide()).toBeUndefined()
    expect(await clientOf(talking).hide()).toBeUndefined()
  })
})

test('keeps its body while others are read', async () => {
  await using server = await startServer((socket, { Method }) => reply(socket, Method.repeat(3)))
  const { signal } = new AbortController()
  const bodies = []
  for (const method of ['first', 'other']) {
    const frame = encodeFrame(JSON.stringify({ Method: method }))
    const outcome = await exchange({ address: server.address }, frame, signal, () => undefined)
    bodies.push(outcome.isConnected ? outcome.body : undefined)
  }
  expect(bodies.map(body => new TextDecoder().decode(body))).toEqual(['firstfirstfirst', 'otherotherother'])
})

test('looks at a pipe twice a call until it is known to last, then once; never at the process', async () => {
  await using server = await startServer(socket => reply(socket, '3.0.0.0'))
  const client = clientOf(server)
  const looks = vi.spyOn(currentPlatform, 'identifyOwn')
  const signals = vi.spyOn(process, 'kill')
  const counts: number[] = []
  try {
    for (let call = 0; call < 4; call++) {
      looks.mockClear()
      await client.version()
      counts.push(looks.mock.calls.length)
    }
    expect(counts).toEqual([2, 2, 1, 1])
    expect(signals).not.toHaveBeenCalled()
  } finally {
    vi.restoreAllMocks()
  }
})

describe('a failure', () => {
  test('from the wrapper carries its code and its sentence', async () => {
    await using server = await startServer(socket =>
      reply(socket, '{"error":"There is no workout with this id.","code":"ERR_NOT_FOUND"}'),
    )
    await expect(clientOf(server).openWorkout(1)).rejects.toMatchObject({
      name: 'PipeRefusedError',
      code: 'ERR_PIPE_REFUSED',
      commandCode: 'ERR_NOT_FOUND',
      shouldRetry: false,
      message: 'There is no workout with this id. (ERR_NOT_FOUND)',
    })
  })

  const closed = { code: 'ERR_PIPE_CLOSED', wasSent: true }
  const unclear = { code: 'ERR_PIPE_REPLY' }
  const replies: [string, Answer, object][] = [
    ['no reply to a command that has one', socket => socket.end(), closed],
    ['a reply that is cut off', socket => socket.end(usersFrame.subarray(0, 20)), closed],
    ['a length of zero', socket => socket.end(Buffer.alloc(4)), unclear],
    ['a reply that is not JSON', socket => reply(socket, '[{"id":1}'), unclear],
    ['a reply of another shape', socket => reply(socket, '{"users":[]}'), unclear],
  ]
  test.each(replies)('%s is recognized, and not asked for again', async (_, answer, expected) => {
    await using server = await startServer(answer)
    const failure = clientOf(server).getListOfUsers()
    await expect(failure).rejects.toMatchObject({ ...expected, shouldRetry: expected === closed })
    expect(server.requests).toHaveLength(1)
    expect(server.connectionCount()).toBe(1)
  })

  test('that is cut off is none of the ends that a command without a reply may have', async () => {
    await using server = await startServer(socket => socket.end(usersFrame.subarray(0, 20)))
    await expect(clientOf(server).hide()).rejects.toMatchObject(closed)
  })

  test('never quotes the reply in its message', async () => {
    await using server = await startServer(socket => reply(socket, '{"ssn":"01020312345"'))
    const failure = await clientOf(server).getListOfUsers().catch(String)
    expect(failure).toContain('PipeReplyError')
    expect(failure).not.toContain('01020312345')
  })
})

describe('a wrapper that leaves during a long request', () => {
  const longRequest = { userId: 1, customId: 'x'.repeat(900_000) }

  /** Takes the first piece of a request, and then calls `act`. */
  async function startImpatientServer(onFirstPiece: (socket: Socket) => void, pid = process.pid) {
    const brand = uniqueBrand()
    const address = addressOf(brand)
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.pause()
        onFirstPiece(socket)
      })
    })
    await listen(server, address)
    const client = classicModeOf({ pid, address })
    return { client, [Symbol.asyncDispose]: () => close(server) }
  }

  test('has refused it when it said so first', async () => {
    const refusal = encodeFrame('{"error":"The wrapper is closing.","code":"ERR_CLOSING"}')
    await using impatient = await startImpatientServer(socket => {
      socket.write(refusal, () => socket.destroy())
    })
    await expect(impatient.client.setCustomId(longRequest)).rejects.toMatchObject({
      code: 'ERR_PIPE_REFUSED',
      commandCode: 'ERR_CLOSING',
    })
  })

  test('has otherwise not read all of it: the request is sent again', async () => {
    let connections = 0
    await using impatient = await startImpatientServer(socket => {
      if (++connections < 3) return void socket.destroy()
      socket.resume().on('data', () => {
        if (socket.bytesRead > longRequest.customId.length) socket.end()
      })
    })
    expect(await impatient.client.setCustomId(longRequest)).toBeUndefined()
    expect(connections).toBe(3)
  })

  test('is not asked again once its process is gone', async () => {
    await using impatient = await startImpatientServer(socket => void socket.destroy(), deadPid())
    await expect(impatient.client.setCustomId(longRequest)).rejects.toMatchObject({
      code: 'ERR_PIPE_CLOSED',
      wasSent: true,
      shouldRetry: false,
      systemCode: expect.stringMatching(/^(EPIPE|ECONNRESET|EOF)$/),
    })
  })
})

describe('a request', () => {
  test('leaves in one write', async () => {
    const pieces: number[] = []
    await using server = await startServer((socket, request) => {
      pieces.push(socket.bytesRead - 4)
      expect(JSON.stringify(request)).toHaveLength(socket.bytesRead - 4)
      socket.end()
    })
    await clientOf(server).setCustomId({ userId: 1, customId: 'x'.repeat(4000) })
    expect(pieces).toHaveLength(1)
  })

  test('longer than the wrapper’s limit is not sent', async () => {
    await using server = await startServer(socket => socket.end())
    const profileData = [{ key: 'k', value: 'x'.repeat(1024 * 1024) }]
    const person = { customId: '1', firstname: 'a', lastname: 'b', profileData }
    await expect(clientOf(server).selectPerson(person)).rejects.toMatchObject({ code: 'ERR_FRAME' })
    expect(server.connectionCount()).toBe(0)
  })
})

describe('a call without an answer', () => {
  test('ends by its time-out with an unknown effect', async () => {
    await using server = await startServer(() => {})
    await expect(clientOf(server).hide({ timeoutMs: 30 })).rejects.toMatchObject({
      code: 'ERR_PIPE_TIMEOUT',
      waitedMs: 30,
      wasSent: true,
      shouldRetry: false,
    })
  })

  test('ends with its signal’s reason and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const controller = new AbortController()
    const reason = new Error('The user went on.')
    await using server = await startServer(socket => {
      socket.on('close', () => closed.resolve())
      controller.abort(reason)
    })
    await expect(clientOf(server).hide({ signal: controller.signal })).rejects.toBe(reason)
    await closed.promise
  })

  test('does not begin when its signal is already aborted', async () => {
    await using server = await startServer(socket => socket.end())
    const reason = new Error('Too late.')
    await expect(clientOf(server).hide({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.connectionCount()).toBe(0)
  })
})

test('a connection closed by the wrapper is closed by the client, too', async () => {
  const closed = Promise.withResolvers<void>()
  await using server = await startServer(socket => {
    socket.once('close', () => closed.resolve())
    socket.write(usersFrame)
  })
  await clientOf(server).getListOfUsers()
  await closed.promise
})
