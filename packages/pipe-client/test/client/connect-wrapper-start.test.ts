import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { type InstalledProgram, installedProgram, wrapperProgram } from '../support/installed-program.ts'
import { listen } from '../support/pipe-places.ts'
import { publish } from '../support/records.ts'

afterEach(() => void vi.unstubAllEnvs())

/** Source of a wrapper that notes its starts, and is ready by itself only the first time. */
const startingOnceAllowed = `
  import { appendFileSync, existsSync } from 'node:fs'
  const noted = process.env.HOME + '/started'
  const isFirst = !existsSync(noted)
  appendFileSync(noted, process.pid + ' ')
  while (!isFirst && !existsSync(process.env.HOME + '/allowed')) await new Promise(done => setTimeout(done, 5))
  ${wrapperProgram}
`

/** Source of a wrapper that refuses its launch. */
const refusing = `
  console.error('There is no such provider. (ERR_PROVIDER)')
  process.exitCode = 2
`

/** Lets this process search for wrappers where the program is installed. */
function useEnvironment({ environment }: InstalledProgram): void {
  for (const name of ['TMPDIR', 'HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, environment[name])
}

const argumentsOf = async ({ folder }: InstalledProgram): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'argv.json'), 'utf8'))

describe.skipIf(process.platform === 'win32')('connectWrapper without a running wrapper', () => {
  test.each([
    { startIfNeeded: true, args: [] },
    { startIfNeeded: { args: ['queryexercises=low back'] }, args: ['queryexercises=low back'] },
  ])('starts the installed one with $args, once', async ({ startIfNeeded, args }) => {
    await using program = await installedProgram(wrapperProgram)
    useEnvironment(program)
    await using client = await connectWrapper({ startIfNeeded })
    try {
      expect(await argumentsOf(program)).toEqual(args)
      await using other = await connectWrapper({ startIfNeeded })
      expect(other.wrapper).toEqual(client.wrapper)
    } finally {
      await client.close()
    }
  })

  test('starts it again on the next call after its exit, without the same arguments', async () => {
    await using program = await installedProgram(wrapperProgram)
    useEnvironment(program)
    await using client = await connectWrapper({ startIfNeeded: { args: ['openworkout=17'] } })
    expect(await argumentsOf(program)).toEqual(['openworkout=17'])
    const { pid } = client.wrapper
    await client.close()
    // Its pipe may exist until its process has ended.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000, interval: 5 })
    try {
      expect(await client.version()).toBe('3.0.0.0')
      expect(client.wrapper.pid).not.toBe(pid)
      expect(await argumentsOf(program)).toEqual([])
    } finally {
      await client.close()
    }
  })

  test.each(['is joined by the next call', 'is ended by disconnecting'])(
    'a start that outlasts a call %s',
    async which => {
      await using program = await installedProgram(startingOnceAllowed)
      useEnvironment(program)
      const started = async () => (await readFile(join(program.folder, 'started'), 'utf8')).trim().split(' ')
      const client = await connectWrapper({ startIfNeeded: true })
      const { pid } = client.wrapper
      await client.close()
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000, interval: 5 })
      const impatient = { code: 'ERR_PIPE_TIMEOUT', wasSent: false, shouldRetry: true }
      await expect(client.version({ timeoutMs: 100 })).rejects.toMatchObject(impatient)
      await vi.waitFor(async () => expect(await started()).toHaveLength(2), { timeout: 60_000, interval: 5 })
      await expect(client.version({ timeoutMs: 10 })).rejects.toMatchObject(impatient)
      if (which.startsWith('is joined')) {
        await writeFile(join(program.folder, 'allowed'), '')
        expect(await client.version()).toBe('3.0.0.0')
        await client.close()
      }
      await client.disconnect()
      const pids = await started()
      expect(pids).toHaveLength(2)
      if (which.startsWith('is joined')) expect(client.wrapper.pid).toBe(Number(pids[1]))
      else expect(() => process.kill(Number(pids[1]), 0)).toThrow()
    },
  )

  test.each(['drops each connection', 'has left its pipe'])(
    'starts one, once, if the one that it found %s and ends',
    async which => {
      await using program = await installedProgram(startingOnceAllowed)
      useEnvironment(program)
      const crashing = spawn('sleep', ['60'])
      const address = join(program.folder, 'crashing')
      using _record = publish(defaultBrand, { pid: crashing.pid ?? 0, address })
      const server = createServer(socket => {
        socket.destroy()
        crashing.kill('SIGKILL')
        if (which === 'has left its pipe') server.close()
      })
      await listen(server, address)
      await using client = await connectWrapper({ startIfNeeded: { args: ['openworkout=17'] } })
      server.close()
      expect(await argumentsOf(program)).toEqual(['openworkout=17'])
      expect(await readFile(join(program.folder, 'started'), 'utf8')).toBe(`${client.wrapper.pid} `)
      await client.close()
    },
  )

  test('does not repeat a launch whose wrapper crashes', async () => {
    await using program = await installedProgram(
      startingOnceAllowed.replace('const send =', 'process.kill(process.pid, "SIGKILL"); const send ='),
    )
    useEnvironment(program)
    await expect(connectWrapper({ startIfNeeded: { args: ['openworkout=17'] } })).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_PIPE_(NOT_FOUND|CLOSED)$/),
    })
    expect((await readFile(join(program.folder, 'started'), 'utf8')).trim().split(' ')).toHaveLength(1)
  })

  test('starts none by default', async () => {
    await using program = await installedProgram(wrapperProgram)
    useEnvironment(program)
    for (const startIfNeeded of [undefined, false])
      await expect(
        connectWrapper(startIfNeeded === undefined ? {} : { startIfNeeded }),
      ).rejects.toMatchObject({
        code: 'ERR_PIPE_NOT_FOUND',
      })
    await expect(argumentsOf(program)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('reports why it could not start', async () => {
    await using program = await installedProgram(refusing)
    useEnvironment(program)
    await expect(connectWrapper({ startIfNeeded: true })).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      exitCode: 2,
      message: expect.stringContaining('There is no such provider.'),
    })
    await program.note('')
    await expect(connectWrapper({ startIfNeeded: true })).rejects.toMatchObject({
      code: 'ERR_PIPE_NOT_INSTALLED',
    })
  })

  test('gives the start up on its signal or time-out', async () => {
    await using program = await installedProgram('setInterval(() => undefined, 1_000)')
    useEnvironment(program)
    const signal = AbortSignal.timeout(50)
    await expect(connectWrapper({ startIfNeeded: true, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    // Enough time for the search before the start, even on a busy machine.
    await expect(connectWrapper({ startIfNeeded: true, timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      message: expect.stringMatching(/ within \d+ ms\b/),
    })
  })
})
