import { randomBytes } from 'node:crypto'
import { chmod, rm } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../src/index.ts'
import { reply, uniqueBrand } from './_classic-server.ts'
import { type SessionAnswer, type SessionRequest, startSessionServer } from './_session-server.ts'
import { proofOf, untoldOwner } from './_untold-owner.ts'

const hello = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }
const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const selected = { status: 'selected', userid: 5, customid: '4711' }

/** Answers as a wrapper that has this key does. */
function proving(key: Uint8Array): SessionAnswer {
  return squatting(challenge => ({ proof: proofOf(key, challenge) }))
}

/** Answers `hello` with these members beside the usual, and anything else, in both modes, as whoever hopes for a person. */
function squatting(members: (challenge: unknown) => object): SessionAnswer {
  return (connection, request) => {
    const { Id, Method, Args } = request
    if (Method === 'hello') connection.reply(request, { ...hello, ...members(Args?.challenge) })
    else if (Id !== undefined) connection.reply(request, selected)
    else reply(connection.socket, Method === 'version' ? '3.0.0.0' : JSON.stringify(selected))
  }
}

const otherKey = randomBytes(32)
const squatters: [string, SessionAnswer][] = [
  ['gives no proof', squatting(() => ({}))],
  ['gives an empty proof', squatting(() => ({ proof: '' }))],
  ['gives a proof that is null', squatting(() => ({ proof: null }))],
  ['gives a proof that is no text', squatting(() => ({ proof: 7 }))],
  ['gives back the challenge', squatting(challenge => ({ proof: challenge }))],
  ['has another key', squatting(challenge => ({ proof: proofOf(otherKey, challenge) }))],
  ['speaks another session mode', squatting(() => ({ protocol: 2 }))],
  [
    'has the classic mode alone',
    ({ socket }, { Method }) =>
      reply(socket, Method === 'version' ? '3.0.0.0' : '{"error":"No such command.","code":"ERR_METHOD"}'),
  ],
  ['refuses hello', (connection, request) => connection.fail(request, 'ERR_METHOD')],
  ['answers with something else', connection => connection.send('[]')],
  ['answers with no frame', ({ socket }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
]

describe('where the system does not tell whose pipe it is, and there is a key', () => {
  describe.each(['auto', 'classic'] as const)('in mode %s', mode => {
    test('a wrapper that proves itself is commanded, and asked anew each time', async () => {
      await using owner = await untoldOwner()
      const key = await owner.makeKey()
      await using server = await startSessionServer(proving(key), { answersAll: true })
      for (const _ of [1, 2]) {
        await using client = await connectWrapper({ brand: server.brand, mode })
        // Each connection of the classic mode might be somebody else's.
        expect(client.mode).toBe('session')
        expect(await client.selectPerson(person)).toEqual(selected)
      }
      const asked = server.connections.flatMap(({ requests }) => requests)
      const challenges = asked.filter(({ Method }) => Method === 'hello').map(({ Args }) => Args?.challenge)
      expect(challenges).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)])
      expect(new Set(challenges).size).toBe(2)
    })

    test.each(squatters)('who %s is told nothing but hello', async (_, answer) => {
      await using owner = await untoldOwner()
      await owner.makeKey()
      await using server = await startSessionServer(answer, { answersAll: true })
      await expect(connectWrapper({ brand: server.brand, mode })).rejects.toMatchObject({
        code: 'ERR_PIPE_UNPROVEN',
        pid: process.pid,
        shouldRetry: false,
        message: expect.stringMatching(
          /Unless it is an older wrapper of yours that still runs, .* this is an incident: tell your administrator\.$/,
        ),
      })
      expect(server.methods()).toEqual(['hello'])
    })
  })

  test('who passes the proof of another process on is told nothing but hello', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    const relay = squatting(challenge => ({ proof: proofOf(key, challenge, { pid: process.pid + 1 }) }))
    await using server = await startSessionServer(relay, { answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({ code: 'ERR_PIPE_UNPROVEN' })
    expect(server.methods()).toEqual(['hello'])
  })

  test('a proof that was heard before is worth nothing', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    let heard: string | undefined
    const replay = squatting(challenge => {
      heard ??= proofOf(key, challenge)
      return { proof: heard }
    })
    await using server = await startSessionServer(replay, { answersAll: true })
    await using _first = await connectWrapper({ brand: server.brand })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({ code: 'ERR_PIPE_UNPROVEN' })
  })

  test('silence is waited for ten seconds, and nothing follows', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    await using silent = await startSessionServer(() => {}, { answersAll: true })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const failed = connectWrapper({ brand: silent.brand }).catch(error => error)
      // Moves the clock on, too, by as much as it waits.
      await vi.waitFor(() => expect(silent.methods()).toEqual(['hello']), { timeout: 60_000 })
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await failed).toMatchObject({
        code: 'ERR_PIPE_TIMEOUT',
        wasSent: false,
        shouldRetry: true,
        waitedMs: 10_000,
        unprovenPid: process.pid,
        message: expect.stringMatching(/did not prove to be a wrapper of this user.*tell your administrator/),
      })
      expect(silent.methods()).toEqual(['hello'])
    } finally {
      vi.useRealTimers()
    }
  })

  test.each<[string, SessionAnswer, object]>([
    ['ends the connection', ({ socket }) => socket.end(), { code: 'ERR_PIPE_CLOSED', wasSent: false }],
    [
      'says that it is busy',
      (connection, request) => connection.fail(request, 'ERR_BUSY'),
      { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_BUSY' },
    ],
  ])(
    'who %s may be a wrapper, is to be asked later, and is told nothing but hello',
    async (_, answer, failure) => {
      await using owner = await untoldOwner()
      await owner.makeKey()
      await using server = await startSessionServer(answer, { answersAll: true })
      await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
        ...failure,
        shouldRetry: true,
        unprovenPid: process.pid,
        message: expect.stringMatching(/did not prove to be a wrapper of this user.*tell your administrator/),
      })
      expect(server.methods()).toEqual(['hello'])
    },
  )

  test('a wrapper that proves itself in a later session mode is no incident', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    const later = squatting(challenge => ({ protocol: 2, proof: proofOf(key, challenge, { protocol: 2 }) }))
    await using server = await startSessionServer(later, { answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_UNSUPPORTED',
      wrapperProtocol: 2,
      shouldRetry: false,
      message: expect.stringContaining('Update this program.'),
    })
    expect(server.methods()).toEqual(['hello'])
  })

  test.each(['auto', 'classic'] as const)(
    'who takes the name when the wrapper has gone is told nothing but hello, in mode %s',
    async mode => {
      await using owner = await untoldOwner()
      const key = await owner.makeKey()
      const brand = uniqueBrand()
      const wrapper = await startSessionServer(proving(key), { brand, answersAll: true })
      await using client = await connectWrapper({ brand, mode })
      await client.selectPerson(person)
      await wrapper[Symbol.asyncDispose]()
      await using squatter = await startSessionServer(
        squatting(() => ({})),
        { brand, answersAll: true },
      )
      // The end of the connection may be heard of after the call, which is then lost with it.
      await expect
        .poll(() => client.selectPerson(person).catch(({ code }) => code), { timeout: 60_000 })
        .toBe('ERR_PIPE_UNPROVEN')
      expect(new Set(squatter.methods())).toEqual(new Set(['hello']))
    },
  )

  test('a key that was replaced meanwhile counts', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    const answer: SessionAnswer = async (connection, request) => {
      if (request.Method === 'hello') proving(await owner.makeKey())(connection, request)
      else connection.reply(request, selected)
    }
    await using server = await startSessionServer(answer, { answersAll: true })
    await using client = await connectWrapper({ brand: server.brand })
    expect(await client.selectPerson(person)).toEqual(selected)
  })

  test('a key that is damaged lets nobody be trusted, and nobody is asked', async () => {
    await using owner = await untoldOwner()
    for (const length of [0, 31, 33]) {
      const key = await owner.makeKey(new Uint8Array(length))
      await using server = await startSessionServer(proving(key), { answersAll: true })
      await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
        code: 'ERR_PIPE_DENIED',
        message: expect.stringContaining('is damaged'),
      })
      expect(server.connections).toHaveLength(0)
    }
  })

  test.runIf(process.platform === 'win32')('a drive that is not there is not taken for no key', async () => {
    await using _owner = await untoldOwner()
    process.env.SERVICE_WRAPPER_DATA = 'Q:\\nowhere'
    await using server = await startSessionServer(() => {}, { answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining('is not there'),
    })
    expect(server.connections).toHaveLength(0)
  })

  test.skipIf(process.platform === 'win32')('a key that others may read lets nobody be trusted', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    await chmod(owner.keyFile, 0o640)
    await using server = await startSessionServer(proving(key), { answersAll: true })
    await expect(connectWrapper({ brand: server.brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_DENIED',
      message: expect.stringContaining('may be used by other users'),
    })
  })
})

describe('no proof is asked for', () => {
  const challengesOf = (requests: readonly SessionRequest[] | undefined) =>
    requests?.filter(({ Method }) => Method === 'hello').map(({ Args }) => Args)

  test('where there is no key: only older wrappers have run', async () => {
    await using owner = await untoldOwner()
    await rm(owner.keyFile, { force: true })
    await using server = await startSessionServer(() => {})
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('session')
    expect(challengesOf(server.first.requests)).toEqual([undefined])
  })

  test('where the system tells whose pipe it is', async () => {
    await using owner = await untoldOwner(true)
    await owner.makeKey()
    await using server = await startSessionServer(() => {})
    await using client = await connectWrapper({ brand: server.brand })
    expect(client.mode).toBe('session')
    expect(challengesOf(server.first.requests)).toEqual([undefined])
  })
})
