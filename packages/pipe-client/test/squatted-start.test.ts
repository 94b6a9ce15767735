import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultBrand, pipeKeyFileName, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { requestClassic } from '../src/classic/request-classic.ts'
import { connectWrapper } from '../src/index.ts'
import { currentPlatform } from '../src/platform/current-platform.ts'
import { type InstalledProgram, installedProgram } from './_installed-program.ts'
import { type SessionAnswer, startSessionServer } from './_session-server.ts'
import { untoldOwner } from './_untold-owner.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const own = process.pid
const hello = { protocol: 1, version: '3.0.0.0', pid: own, capabilities: [] }

/** Answers as an older wrapper, or as somebody else. */
const unproven: SessionAnswer = (connection, request) => connection.reply(request, hello)

const busy: SessionAnswer = (connection, request) => connection.fail(request, 'ERR_BUSY')

/** Notes what each start was given, one line a start. */
const noting = `
  import { appendFileSync } from 'node:fs'
  const note = () => appendFileSync(process.env.HOME + '/starts', JSON.stringify(process.argv.slice(2)) + '\\n')
`

/** A launch that a wrapper that runs has taken. */
const handingOver = `${noting}
  note()
`

/** The first start is the wrapper's own, which ends with \`close\`; the others are handed over to it. */
const starting = `${noting}
  import { existsSync, writeFileSync } from 'node:fs'
  import { createServer } from 'node:net'
  const started = process.env.HOME + '/started'
  const isFirst = !existsSync(started)
  note()
  if (isFirst) {
    writeFileSync(started, String(process.pid))
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.on('data', bytes => {
        if (JSON.parse(bytes.subarray(4)).Method === 'close') server.close()
        socket.end()
      })
    }).listen(process.env.TMPDIR + '/CoreFxPipe_servicepipe.' + process.pid)
  }
`

/** Lets this process look for wrappers where the program is installed, beside which is a key. */
async function useProgram({ environment }: InstalledProgram): Promise<AsyncDisposable> {
  const owner = await untoldOwner()
  for (const name of ['TMPDIR', 'HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, environment[name])
  // The owner puts it back.
  delete process.env.SERVICE_WRAPPER_DATA
  const keyFile = join(
    wrapperUserFolder(defaultBrand, process.platform, process.env, homedir),
    pipeKeyFileName,
  )
  await mkdir(dirname(keyFile), { recursive: true })
  await writeFile(keyFile, crypto.getRandomValues(new Uint8Array(32)), { mode: 0o600 })
  vi.spyOn(currentPlatform, 'loginSessionsOf').mockResolvedValue(new Map([[own, '1']]))
  return owner
}

const startsOf = async ({ folder }: InstalledProgram): Promise<unknown[]> =>
  (await readFile(join(folder, 'starts'), 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

const startIfNeeded = { args: ['customid=4711'] }

describe.skipIf(process.platform === 'win32')('where something was found that did not prove itself', () => {
  test('the wrapper is started, and only then given the arguments', async () => {
    await using program = await installedProgram(starting)
    await using _owner = await useProgram(program)
    await using squatter = await startSessionServer(unproven, { brand: defaultBrand, answersAll: true })
    // It does not prove itself either, in this test: that it was started is what counts.
    const { unprovenPid } = await connectWrapper({ startIfNeeded }).catch(error => error)
    const pid = Number(await readFile(join(program.folder, 'started'), 'utf8'))
    expect(unprovenPid).toBe(pid)
    expect(await startsOf(program)).toEqual([[], startIfNeeded.args])
    expect(squatter.methods()).toEqual(['hello'])
    const started = { pid, address: currentPlatform.addressOf(defaultBrand, pid) }
    await requestClassic(started, 'close', undefined, { timeoutMs: 60_000, spentMs: 0, signal: undefined })
  })

  test.each<[string, SessionAnswer, object]>([
    ['gave no proof', unproven, { code: 'ERR_PIPE_UNPROVEN', pid: own, shouldRetry: false }],
    ['was busy', busy, { code: 'ERR_PIPE_REFUSED', unprovenPid: own, shouldRetry: true }],
  ])('and runs, one that %s is not given the arguments, and is told', async (_, answer, failure) => {
    await using program = await installedProgram(handingOver)
    await using _owner = await useProgram(program)
    await using running = await startSessionServer(answer, { brand: defaultBrand, answersAll: true })
    // Long enough for the launch on a busy machine.
    await expect(connectWrapper({ startIfNeeded, timeoutMs: 8_000 })).rejects.toMatchObject(failure)
    expect(await startsOf(program)).toEqual([[]])
    expect(new Set(running.methods())).toEqual(new Set(['hello']))
  })
})
