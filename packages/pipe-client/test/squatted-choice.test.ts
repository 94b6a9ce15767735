import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultBrand, pipeKeyFileName, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { requestClassic } from '../src/classic/request-classic.ts'
import { listWrappers } from '../src/cli/commands/list-wrappers.ts'
import { connectWrapper } from '../src/index.ts'
import { currentPlatform } from '../src/platform/current-platform.ts'
import { addressOf, uniqueBrand } from './_classic-server.ts'
import { installedProgram } from './_installed-program.ts'
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
    await using client = await connectWrapper({ brand })
    expect(client.wrapper.pid).toBe(own)
    expect(await client.selectPerson(person)).toEqual(selected)
    expect(squatter.methods()).toEqual(['hello'])
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
    expect(await listWrappers(brand)).toEqual(listed)
    expect(tell).toHaveBeenCalledTimes(1)
  })

  test.skipIf(process.platform === 'win32')(
    'one that is no wrapper keeps none from being started',
    async () => {
      await using program = await installedProgram(`
      import { writeFileSync } from 'node:fs'
      import { createServer } from 'node:net'
      const path = process.env.TMPDIR + '/CoreFxPipe_servicepipe.' + process.pid
      writeFileSync(process.env.HOME + '/started', String(process.pid))
      const server = createServer(socket => {
        socket.on('error', () => undefined)
        socket.on('data', bytes => {
          if (JSON.parse(bytes.subarray(4)).Method === 'close') server.close()
          socket.end()
        })
      }).listen(path)
    `)
      await using _owner = await untoldOwner()
      for (const name of ['TMPDIR', 'HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, program.environment[name])
      // The owner puts it back.
      delete process.env.SERVICE_WRAPPER_DATA
      const keyFile = join(
        wrapperUserFolder(defaultBrand, process.platform, process.env, homedir),
        pipeKeyFileName,
      )
      await mkdir(dirname(keyFile), { recursive: true })
      await writeFile(keyFile, crypto.getRandomValues(new Uint8Array(32)), { mode: 0o600 })
      await using squatter = await serve(defaultBrand, own, squatting(own))
      // It does not prove itself either, in this test: that it was started is what counts.
      const failed = connectWrapper({ startIfNeeded: true }).catch(error => error)
      const { unprovenPid } = await failed
      const pid = Number(await readFile(join(program.folder, 'started'), 'utf8'))
      expect(unprovenPid).toBe(pid)
      expect(squatter.methods()).toEqual(['hello'])
      const started = { pid, address: currentPlatform.addressOf(defaultBrand, pid) }
      await requestClassic(started, 'close', undefined, { timeoutMs: 60_000, spentMs: 0, signal: undefined })
    },
  )
})
