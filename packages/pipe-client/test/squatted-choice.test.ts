import { afterEach, describe, expect, test, vi } from 'vitest'
import { listWrappers } from '../src/cli/call-wrapper.ts'
import { connectWrapper } from '../src/index.ts'
import { currentPlatform } from '../src/platform/current-platform.ts'
import { addressOf, uniqueBrand } from './_classic-server.ts'
import { deadPid } from './_processes.ts'
import { type SessionAnswer, startSessionServer } from './_session-server.ts'
import { proofOf, untoldOwner } from './_untold-owner.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const selected = { status: 'selected', userid: 5, customid: '4711' }
const helloOf = (pid: number) => ({ protocol: 1, version: '3.0.0.0', pid, capabilities: [] })

/** Answers as the wrapper of a process that has this key. */
const proving =
  (key: Uint8Array, pid: number): SessionAnswer =>
  (connection, request) => {
    const { Method, Args } = request
    const proof = () => proofOf(key, Args?.challenge, { pid })
    connection.reply(request, Method === 'hello' ? { ...helloOf(pid), proof: proof() } : selected)
  }

/** Answers as whoever hopes for a person. */
const squatting =
  (pid: number): SessionAnswer =>
  (connection, request) =>
    connection.reply(
      request,
      request.Method === 'hello' ? { ...helloOf(pid), proof: 'A'.repeat(43) } : selected,
    )

/** Processes that are there as long as this one. */
const [own, another] = [process.pid, process.ppid]

const serve = (brand: ReturnType<typeof uniqueBrand>, pid: number, answer: SessionAnswer) =>
  startSessionServer(answer, { brand, pid, answersAll: true })

/** Puts processes into this login session, or others. */
function tellSessions(sessions: Readonly<Record<number, string>>) {
  const told = new Map(Object.entries(sessions).map(([pid, session]) => [Number(pid), session]))
  return vi.spyOn(currentPlatform, 'loginSessionsOf').mockResolvedValue(told)
}

const squatters: [string, SessionAnswer][] = [
  ['has another key', squatting(another)],
  ['is silent', () => {}],
  ['ends the connection', ({ socket }) => socket.end()],
  ['says that it is busy', (connection, request) => connection.fail(request, 'ERR_BUSY')],
]

describe('where the system does not tell whose pipes they are, and there is a key', () => {
  test.each(squatters)('one that %s makes no choice of a wrapper beside it', async (_, answer) => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    tellSessions({ [own]: '1', [another]: '1' })
    const brand = uniqueBrand()
    await using squatter = await serve(brand, another, answer)
    await using _wrapper = await serve(brand, own, proving(key, own))
    // All have half of the time together; in what is left the one that has proven itself is taken.
    await using client = await connectWrapper({ brand, timeoutMs: 6_000 })
    expect(client.wrapper.pid).toBe(own)
    expect(await client.selectPerson(person)).toEqual(selected)
    expect(new Set(squatter.methods())).toEqual(new Set(['hello']))
  })

  test.each<[string, (wrapper: SessionAnswer) => SessionAnswer]>([
    [
      'busy at first',
      wrapper => {
        let hellos = 0
        return (connection, request) =>
          hellos++ < 2 ? connection.fail(request, 'ERR_BUSY') : wrapper(connection, request)
      },
    ],
    [
      'slow',
      wrapper => (connection, request) => setTimeout(() => wrapper(connection, request), 3_300).unref(),
    ],
  ])('one that is %s is not left out of a choice', async (_, late) => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    tellSessions({ [own]: '1', [another]: '1' })
    const brand = uniqueBrand()
    await using _first = await serve(brand, own, proving(key, own))
    await using _second = await serve(brand, another, late(proving(key, another)))
    await expect(connectWrapper({ brand, timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'ERR_PIPE_AMBIGUOUS',
    })
  })

  test('several wrappers that prove themselves are a choice, of which the others are no part', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    tellSessions({ [own]: '1', [another]: '1', [deadPid()]: '1' })
    const brand = uniqueBrand()
    await using _first = await serve(brand, own, proving(key, own))
    await using _second = await serve(brand, another, proving(key, another))
    await using _squatter = await serve(brand, deadPid(), squatting(deadPid()))
    await expect(connectWrapper({ brand })).rejects.toMatchObject({
      code: 'ERR_PIPE_AMBIGUOUS',
      pids: [own, another].sort((a, b) => a - b),
    })
  })

  test('several of which none proves itself are an incident', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    tellSessions({ [own]: '1', [another]: '1' })
    const brand = uniqueBrand()
    await using first = await serve(brand, own, squatting(own))
    await using second = await serve(brand, another, squatting(another))
    await expect(connectWrapper({ brand })).rejects.toMatchObject({ code: 'ERR_PIPE_UNPROVEN' })
    expect([first, second].map(({ methods }) => methods())).toEqual([['hello'], ['hello']])
  })

  test('one whose login session cannot be told is no choice either, unless it proves itself', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    tellSessions({})
    const brand = uniqueBrand()
    await using squatter = await serve(brand, own, squatting(own))
    await expect(connectWrapper({ brand })).rejects.toMatchObject({ code: 'ERR_PIPE_UNPROVEN' })
    await squatter[Symbol.asyncDispose]()
    const key = await owner.makeKey()
    await using _wrapper = await serve(brand, own, proving(key, own))
    await expect(connectWrapper({ brand })).rejects.toMatchObject({ code: 'ERR_PIPE_AMBIGUOUS', pids: [own] })
  })

  test('what cannot be started because nothing is installed leaves the incident', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    tellSessions({ [own]: '1' })
    const brand = uniqueBrand()
    await using squatter = await serve(brand, own, squatting(own))
    await expect(connectWrapper({ brand, startIfNeeded: true })).rejects.toMatchObject({
      code: 'ERR_PIPE_UNPROVEN',
    })
    expect(squatter.methods()).toEqual(['hello'])
  })

  test('all sessions are asked for at once, and the list tells who has proven itself', async () => {
    await using owner = await untoldOwner()
    const key = await owner.makeKey()
    const tell = tellSessions({ [own]: '1', [another]: '2' })
    const brand = uniqueBrand()
    await using _wrapper = await serve(brand, own, proving(key, own))
    await using _squatter = await serve(brand, another, squatting(another))
    const listed = [
      { pid: own, address: addressOf(brand, own), session: '1', proven: true },
      { pid: another, address: addressOf(brand, another), session: '2', proven: false },
    ].sort((a, b) => a.pid - b.pid)
    expect(await listWrappers(brand, false)).toEqual(listed)
    expect(tell).toHaveBeenCalledTimes(1)
    // The rest of the brand tells where the key is.
    const unjudged = listed.map(({ proven: _, ...rest }) => rest)
    expect(await listWrappers(brand, true)).toEqual(unjudged)
  })

  test('the list does not call one that ends the connection no wrapper', async () => {
    await using owner = await untoldOwner()
    await owner.makeKey()
    tellSessions({ [own]: '1' })
    const brand = uniqueBrand()
    await using _closing = await serve(brand, own, ({ socket }) => socket.end())
    expect(await listWrappers(brand, false)).toMatchObject([{ pid: own, proven: null }])
  })
})
