import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { connectWrapper } from '@service-link/pipe-client'
import { defaultBrand } from '@service-link/protocol-core'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { memoryTerminal } from '@service-link/terminal/testing'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runSubcommand } from '../../src/cli/subcommands.ts'

const program = await bundleProgram(new URL('../../src/cli/service-webwrapper.ts', import.meta.url))
const byArguments = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'

/** Runs the command in this process. `ask` types a line and returns its answer. */
function startCommand(...argv: string[]) {
  const stdin = new PassThrough()
  const output = new PassThrough()
  const stopping = new AbortController()
  const terminal = memoryTerminal({
    stdin,
    print: async text => void output.write(text),
    interruption: () => stopping.signal,
  })
  const identity = { brand: defaultBrand, version: '3.1.4.1', programName: 'wrapper' }
  const exitCode = runSubcommand(['test', ...argv], identity, terminal)
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const read = async () => JSON.parse((await lines.next()).value ?? '')
  const ask = (line: string) => {
    stdin.write(`${line}\n`)
    return read()
  }
  return { where: read(), ask, stdin, exitCode, told: terminal.told, stopping }
}

afterEach(() => void vi.unstubAllEnvs())

describe('service-webwrapper test', () => {
  test('says where it is, and answers each line with one', async () => {
    await using folder = await temporaryFolder()
    const data = join(folder.path, 'data.json')
    writeFileSync(data, '{"users":[{"id":17,"customId":"4711","firstname":"Kari"}]}')
    const { where, ask, exitCode } = startCommand('--signed-out', '--data', data)
    const { pid, pipe, address, userFolder, applicationRoot } = await where
    expect(pid).toBe(process.pid)
    expect(pipe).toMatch(new RegExp(`^servicepipe(_\\w+)?\\.${pid}$`))
    expect(address.endsWith(pipe)).toBe(true)
    expect(existsSync(applicationRoot)).toBe(true)

    await using client = await connectWrapper({ userFolder })
    expect(await ask('signin')).toEqual({})
    expect(await client.getListOfUsers({ customId: '4711' })).toMatchObject([{ id: 17, firstname: 'Kari' }])
    expect(await ask('next')).toMatchObject({ handler: 'getListOfUsers' })
    expect(await ask('calls')).toHaveLength(1)
    expect(await ask('select {"customId": "4711"}')).toEqual({})
    expect(await ask('signout')).toEqual({})
    const told = (await ask('events')).map(({ type }: { type: string }) => type)
    expect(told).toEqual(['welcome', 'signedIn', 'call', 'personSelected', 'signedOut'])
    expect(await ask('close')).toEqual({})
    expect(await exitCode).toBe(0)
    expect(existsSync(dirname(applicationRoot))).toBe(false)
  })

  test('starts again in a folder that it keeps', async () => {
    await using folder = await temporaryFolder()
    for (const variable of ['SERVICE_WRAPPER_ROOT', 'SERVICE_WRAPPER_DATA']) {
      vi.stubEnv(variable, folder.path)
      const own = startCommand()
      await own.where
      expect(own.told()).toMatch(new RegExp(`ignores .*${variable}`))
      own.stdin.end()
      await own.exitCode
    }
    const found: unknown[] = []
    for (const _start of ['first', 'second']) {
      const { where, stdin, exitCode, told } = startCommand('--folder', folder.path)
      found.push((await where).userFolder)
      stdin.end()
      expect(await exitCode).toBe(0)
      expect(told()).toBe('')
    }
    expect(found).toEqual([join(folder.path, 'user'), join(folder.path, 'user')])
  })

  test('answers a line that it does not understand, and tells people of it', async () => {
    const { where, ask, stdin, exitCode, told } = startCommand()
    await where
    const known = 'signin, signout, select, calls, next, events, close'
    const unknown = {
      error: `There is no such command. Known: ${known}.`,
      code: 'ERR_USAGE',
      docs: docsUrlOf('ERR_USAGE'),
    }
    expect(await ask('constructor')).toEqual(unknown)
    expect(told()).toBe(`wrapper: ${unknown.error} [ERR_USAGE]\n${unknown.docs}\n`)
    expect(await ask('select')).toMatchObject({ error: 'The person is no JSON.' })
    expect(await ask('select {"customid":"secret"}')).toMatchObject({
      error: 'The person is not right: customid is not known.',
    })
    stdin.end()
    expect(await exitCode).toBe(0)
  })

  test.each<[string, (started: ReturnType<typeof startCommand>) => unknown]>([
    ['its standard input', ({ stdin }) => stdin.end()],
    ['a signal', ({ stopping }) => stopping.abort()],
    [
      'its wrapper [4.5-close]',
      async ({ where }) => {
        const client = await connectWrapper({ userFolder: (await where).userFolder })
        await client.close({ signOut: false })
        await client[Symbol.asyncDispose]()
      },
    ],
  ])('ends with %s, also while a next waits', async (_title, end) => {
    const started = startCommand()
    await started.where
    const next = started.ask('next')
    await end(started)
    expect(await next).toMatchObject({ code: 'ERR_CLOSING' })
    expect(await started.exitCode).toBe(0)
  })

  test.each([
    ['no JSON', '{', 'The file after --data is no JSON.'],
    ['another list', '{"persons":[]}', 'The file after --data is not right: persons is not known.'],
    [
      'a misspelled member',
      '{"users":[{"id":1,"custmId":"x"}],"workouts":[{"id":3,"userId":1,"nmae":"x"}]}',
      'users.0.custmId is not known; write customId; workouts.0.nmae is not known; write name.',
    ],
    ['a person without an id', '{"users":[{"customId":"x"}]}', 'users.0.id is missing'],
  ])('refuses data with %s', async (_title, text, sentence) => {
    await using folder = await temporaryFolder()
    const data = join(folder.path, 'data.json')
    writeFileSync(data, text)
    const { exitCode, told } = startCommand('--data', data)
    expect(await exitCode).toBe(2)
    expect(told()).toContain(sentence)
  })
})

/** The real process. */
async function startProcess() {
  const child: ChildProcess = spawn(process.execPath, [program, 'test'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const read = async () => JSON.parse((await lines.next()).value ?? '')
  return { child, ended, read, where: await read(), [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

describe('its process', () => {
  test('takes a second launch of the executable, with its two folders in the environment', async () => {
    using started = await startProcess()
    const { child, ended, read, where } = started
    expect(where).toMatchObject({ pid: child.pid, pipe: `servicepipe.${child.pid}` })
    const env = {
      ...process.env,
      SERVICE_WRAPPER_ROOT: where.applicationRoot,
      SERVICE_WRAPPER_DATA: where.userFolder,
    }
    const launch = spawn(process.execPath, [program, byArguments, 'queryexercises=knee'], { env })
    expect(await once(launch, 'close')).toEqual([0, null])
    child.stdin?.write('next\n')
    expect(await read()).toEqual({ handler: 'queryExercises', args: { text: 'knee' }, via: 'arguments' })
    child.stdin?.end()
    expect(await ended).toEqual([0, null])
  })
})
