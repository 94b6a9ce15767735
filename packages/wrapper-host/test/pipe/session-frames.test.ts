import { Socket } from 'node:net'
import { encodeFrame } from '@service-link/protocol-core'
import { describe, expect, test, vi } from 'vitest'
import { dial, framesUntilClosed, header, request, servePipe } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const frame = (value: unknown) => Buffer.from(encodeFrame(JSON.stringify(value)))
const version = (id: unknown) => ({ Id: id, Method: 'version' })
const run = async () => undefined

function refusal(code: string) {
  return { Id: null, Error: expect.objectContaining({ Code: code, Message: expect.any(String) }) }
}

describe('frames in session mode', () => {
  test('requests of one turn cost one parse each, one write for all, and no timer', async () => {
    const limits = { silenceLimitMs: 29_001, unreadLimitMs: 29_002 }
    await using pipe = await servePipe(run, limits)
    using session = await openSessionPipe(pipe.address)
    await session.ask(0, 'version')
    const parse = vi.spyOn(JSON, 'parse')
    const write = vi.spyOn(Socket.prototype, 'write')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      session.send(...Array.from({ length: 60 }, (_, at) => version(at + 1)))
      await session.answer(60)
      expect(parse.mock.calls.filter(([text]) => text.includes('"Method"'))).toHaveLength(60)
      expect(write.mock.contexts.filter(socket => socket !== session.socket)).toHaveLength(1)
      const limitTimers = timers.mock.calls.filter(([, ms]) => Object.values(limits).includes(ms ?? 0))
      // A pipe of Windows may take the write later. Until then the client has its time to read.
      expect(limitTimers.length).toBeLessThanOrEqual(process.platform === 'win32' ? 1 : 0)
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('requests in single bytes are understood, and no byte renews the time of its frame', async () => {
    const silenceLimitMs = 29_001
    await using pipe = await servePipe(run, { silenceLimitMs })
    using session = await openSessionPipe(pipe.address)
    await session.ask(0, 'version')
    session.socket.setNoDelay(true)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      for (const byte of Buffer.concat([frame(version(1)), frame(version(2)), frame(version('ø'))])) {
        session.socket.write(Buffer.of(byte))
        // The server, in this process, reads the byte.
        await new Promise(done => setImmediate(done))
      }
      await session.answer('ø')
      expect(session.messages.map(({ Id }) => Id)).toEqual([0, 1, 2, 'ø'])
      expect(timers.mock.calls.filter(([, ms]) => ms === silenceLimitMs).length).toBeLessThanOrEqual(3)
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('the first frame decides the mode: without an id nothing after it counts', async () => {
    await using pipe = await servePipe(run)
    const socket = await dial(pipe.address)
    const frames = framesUntilClosed(socket)
    socket.write(Buffer.concat([frame({ Method: 'version' }), frame(version(1))]))
    expect(await frames).toEqual(['3.0.0.0'])
    using inSession = await openSessionPipe(pipe.address)
    inSession.send(version(1), { Method: 'version' }, version(2))
    await inSession.answer(2)
    expect(inSession.messages).toEqual([
      { Id: 1, Result: '3.0.0.0' },
      refusal('ERR_ARGS'),
      { Id: 2, Result: '3.0.0.0' },
    ])
  })

  test.each<[string, Buffer, string]>([
    ['what is not JSON', Buffer.from(encodeFrame('{"Id":9,')), 'ERR_JSON'],
    ['what is not UTF-8', Buffer.concat([header(2), Buffer.of(0xc3, 0x28)]), 'ERR_JSON'],
    ['no id', frame({ Method: 'version' }), 'ERR_ARGS'],
    ['two ids', Buffer.from(encodeFrame('{"Id":1,"id":2,"Method":"version"}')), 'ERR_ARGS'],
  ])('%s is refused without an id, and the connection continues', async (_title, bytes, code) => {
    await using pipe = await servePipe(run)
    using session = await openSessionPipe(pipe.address)
    session.socket.write(Buffer.concat([frame(version(1)), bytes, frame(version(2))]))
    await session.answer(2)
    expect(session.messages).toEqual([
      { Id: 1, Result: '3.0.0.0' },
      refusal(code),
      { Id: 2, Result: '3.0.0.0' },
    ])
  })

  test.each<[string, object, string]>([
    ['an unknown method', { Method: 'eval' }, 'ERR_METHOD'],
    ['no method', {}, 'ERR_METHOD'],
    ['wrong arguments', { Method: 'openworkout', Args: { id: 'x' } }, 'ERR_ARGS'],
    ['arguments that are no object', { Method: 'subscribe', Args: [] }, 'ERR_ARGS'],
  ])('%s is refused with the request’s id', async (_title, envelope, code) => {
    await using pipe = await servePipe(run)
    using session = await openSessionPipe(pipe.address)
    session.send(version(1), { Id: 2, ...envelope }, version(3))
    expect((await session.answer(2)).Error?.Code).toBe(code)
    expect(await session.answer(3)).toEqual({ Id: 3, Result: '3.0.0.0' })
  })

  test.each([
    ['0', 0],
    ['below 0', -1],
    ['above the limit', 1024 * 1024 + 1],
  ])(
    'a length %s between good requests: earlier ones are answered, then the connection ends',
    async (_title, length) => {
      const mayAnswer = Promise.withResolvers<void>()
      await using pipe = await servePipe(async () => {
        await mayAnswer.promise
        return []
      })
      const session = await openSessionPipe(pipe.address)
      session.socket.write(
        Buffer.concat([
          frame({ Id: 1, Method: 'getlistofusers' }),
          frame(version(2)),
          header(length),
          frame(version(3)),
        ]),
      )
      await session.answer(null)
      mayAnswer.resolve()
      await session.closed()
      expect(session.messages).toEqual([
        { Id: 2, Result: '3.0.0.0' },
        refusal('ERR_FRAME'),
        { Id: 1, Result: [] },
      ])
      expect(await request(pipe.address, { Method: 'version' })).toEqual(['3.0.0.0'])
    },
  )

  test('an unfinished frame ends the connection in time; silence between frames does not', async () => {
    await using pipe = await servePipe(run, { silenceLimitMs: 1500 })
    using silent = await openSessionPipe(pipe.address)
    await silent.ask(1, 'version')
    const cut = await openSessionPipe(pipe.address)
    cut.socket.write(Buffer.concat([frame(version(1)), frame(version(2)).subarray(0, 9)]))
    await cut.closed()
    expect(cut.messages).toEqual([{ Id: 1, Result: '3.0.0.0' }, refusal('ERR_FRAME')])
    expect(await silent.ask(2, 'version')).toEqual({ Id: 2, Result: '3.0.0.0' })
  })

  // A pipe of Windows cannot be half-closed: its connection ends 50 ms later.
  test.skipIf(process.platform === 'win32')(
    'a half-closed client gets its answers; one that ends inside a frame gets an error too',
    async () => {
      const mayAnswer = Promise.withResolvers<void>()
      await using pipe = await servePipe(async () => {
        await mayAnswer.promise
        return []
      })
      const whole = await openSessionPipe(pipe.address)
      whole.send({ Id: 1, Method: 'getlistofusers' }, version(2))
      whole.socket.end()
      const cut = await openSessionPipe(pipe.address)
      cut.send({ Id: 1, Method: 'getlistofusers' })
      cut.socket.end(frame(version(2)).subarray(0, 9))
      await Promise.all([whole.answer(2), cut.answer(null)])
      mayAnswer.resolve()
      await Promise.all([whole.closed(), cut.closed()])
      expect(whole.messages).toEqual([
        { Id: 2, Result: '3.0.0.0' },
        { Id: 1, Result: [] },
      ])
      expect(cut.messages).toEqual([refusal('ERR_FRAME'), { Id: 1, Result: [] }])
    },
  )

  test('a reply above the frame limit fails its own request only', async () => {
    await using pipe = await servePipe(async command =>
      command.name === 'getlistofusers' ? [{ id: 1, text: 'x'.repeat(16 * 1024 * 1024) }] : undefined,
    )
    using session = await openSessionPipe(pipe.address)
    session.send({ Id: 1, Method: 'getlistofusers' }, { Id: 2, Method: 'show' })
    expect((await session.answer(1)).Error?.Code).toBe('ERR_WEB_APP')
    expect(await session.answer(2)).toEqual({ Id: 2, Result: null })
  })
})
