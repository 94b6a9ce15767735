import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import quoting from '@service-link/vectors/argument-quoting.json' with { type: 'json' }
import { describe, expect, test, vi } from 'vitest'
import { launchWrapper } from '../../src/index.ts'
import { isAlive } from '../../src/running/wrapper-record.ts'
import { type InstalledProgram, installedProgram } from '../support/installed-program.ts'

/** Source of a program that notes its arguments, and ends like a process that handed its launch over. */
const handOver = `
  import { writeFileSync } from 'node:fs'
  writeFileSync(process.env.HOME + '/seen.json', JSON.stringify({ argv: process.argv.slice(2), env: process.env }))
`

/** Source of a wrapper that serves its pipe until it is told to end. */
const serve = `
  import { writeFileSync } from 'node:fs'
  import { createServer } from 'node:net'
  process.on('SIGTERM', () => process.exit())
  process.stderr.write('search was ignored.\\n')
  createServer().listen(process.env.TMPDIR + '/CoreFxPipe_servicepipe.' + process.pid, () =>
    writeFileSync(process.env.HOME + '/pid', String(process.pid)))
`

/** Source of a program that neither becomes the wrapper nor ends. */
const hang = `
  import { writeFileSync } from 'node:fs'
  writeFileSync(process.env.HOME + '/pid', String(process.pid))
  setInterval(() => undefined, 1_000)
`

/** Source of a program that hangs with a child process. Both ignore the request to end. */
const hangOn = `
  import { spawn } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  process.on('SIGTERM', () => undefined)
  const child = spawn('sh', ['-c', 'trap "" TERM; sleep 600 & wait'], { stdio: 'inherit' })
  writeFileSync(process.env.HOME + '/child', String(child.pid))
  writeFileSync(process.env.HOME + '/pid', String(process.pid))
  setInterval(() => undefined, 1_000)
`

/** Argument lists that other implementations must quote. */
const quoted = quoting.vectors.flatMap(({ input: { argv = [] } }) => argv)

const limit = { timeout: 60_000, interval: 5 }

async function seen({ folder }: InstalledProgram) {
  const text = await readFile(join(folder, 'seen.json'), 'utf8')
  return JSON.parse(text) as { argv: string[]; env: Record<string, string> }
}

/** The process id of the program, once it runs. */
async function pidOf({ folder }: InstalledProgram): Promise<number> {
  let pid = 0
  await vi.waitFor(async () => {
    pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
    if (!(pid > 0)) throw new Error('The program has not started.')
  }, limit)
  return pid
}

const ends = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), limit)

describe.skipIf(process.platform === 'win32')('launchWrapper', () => {
  test('[4.3-grammar] passes each argument unchanged', async () => {
    await using program = await installedProgram(handOver)
    const odd = [
      '"',
      'C:\\a b\\',
      '\\\\"',
      'line\nbreak\r\n',
      '\t',
      'Åse Øverås 李 🏋️',
      '%PATH%',
      '$(touch x)',
      ';&|<>^!',
      ...quoted,
    ]
    expect(await launchWrapper(odd, { environment: program.environment })).toEqual({ role: 'handed-over' })
    expect((await seen(program)).argv).toEqual(odd)
  })

  test.each([
    ['a NUL character', 'lastname=Nord\0mann', 'NUL character'],
    ['half a character', 'lastname=Nord\ud83dmann', 'half a character'],
  ])('starts nothing with %s, and does not repeat it', async (_title, argument, words) => {
    await using program = await installedProgram(handOver)
    const error = await launchWrapper(['id=1', argument], { environment: program.environment }).catch(
      reason => reason,
    )
    expect(error).toMatchObject({ code: 'ERR_PIPE_START', message: expect.stringContaining(words) })
    expect(error.message).toContain('Argument 2')
    expect(error.message).not.toContain('Nord')
    await expect(seen(program)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('fails when the arguments exceed the operating system’s limit', async () => {
    await using program = await installedProgram(handOver)
    const args = Array.from({ length: 300 }, () => `lastname=${'x'.repeat(65_000)}`)
    const error = await launchWrapper(args, { environment: program.environment }).catch(reason => reason)
    expect(error).toMatchObject({
      code: 'ERR_PIPE_START',
      exitCode: undefined,
      message: expect.stringContaining('longer than this operating system takes'),
    })
    expect(error.message).not.toContain('xxx')
  })

  test('passes the environment on, except variables of this process', async () => {
    await using program = await installedProgram(handOver)
    const own = {
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--require /nowhere/of-an-editor.js',
      NODE_V8_COVERAGE: join(program.folder, 'coverage'),
      Node_Inspect_Resume_On_Start: '1',
    }
    const environment = { ...program.environment, OWN: ' a=b ', ...own }
    await launchWrapper([], { environment })
    const { env } = await seen(program)
    expect(env).toMatchObject({ OWN: ' a=b ', HOME: program.folder })
    for (const name of Object.keys(own)) expect(env).not.toHaveProperty(name)
  })

  test('resolves when the started process serves its pipe, and leaves it running', async () => {
    await using program = await installedProgram(serve)
    const outcome = await launchWrapper([], { environment: program.environment })
    const pid = await pidOf(program)
    expect(outcome).toEqual({ role: 'started', pid, notice: 'search was ignored.' })
    process.kill(pid, 'SIGTERM')
    await ends(pid)
  })

  test.each<[string, string, number | undefined, string]>([
    [
      'in its own words when it refuses',
      'console.error("Warning: Nordmann"); console.error("lastname is missing. (ERR_ARGS)"); process.exit(2)',
      2,
      'lastname is missing. (ERR_ARGS)',
    ],
    [
      'without the words of another program',
      'console.error("Unhandled: Nordmann"); process.exit(3)',
      3,
      'The wrapper ended with exit code 3, and told no reason.',
    ],
    [
      'also while something that it has started still has its standard error',
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
       writeFileSync(process.env.HOME + '/pid', String(child.pid))
       console.error('It is taken. (ERR_PIPE_TAKEN)')
       process.exit(2)`,
      2,
      'It is taken. (ERR_PIPE_TAKEN)',
    ],
    [
      'when a signal ends it',
      'process.kill(process.pid, "SIGKILL"); setInterval(() => undefined, 1_000)',
      undefined,
      'The wrapper was ended by a signal before it was ready.',
    ],
  ])('reports %s', async (_title, script, exitCode, message) => {
    await using program = await installedProgram(script)
    await expect(launchWrapper([], { environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      exitCode,
      message,
    })
    const pid = Number(await readFile(join(program.folder, 'pid'), 'utf8').catch(() => 0))
    if (pid > 0) process.kill(pid, 'SIGKILL')
  })

  test('reports an executable that cannot start', async () => {
    await using program = await installedProgram()
    const { folder, environment } = program
    await program.note(JSON.stringify({ path: folder, version: '3.0.0.0', command: [program.installFile] }))
    await expect(launchWrapper(['id=1'], { environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      message: expect.stringContaining('could not be started (EACCES)'),
    })
  })

  test('does not start a wrapper known to be older than the pipe', async () => {
    await using program = await installedProgram(handOver)
    const { executable } = program
    const record = { path: dirname(executable), version: '2.1.4.19786', command: [executable] }
    await program.note(JSON.stringify(record))
    await expect(launchWrapper([], { environment: program.environment })).rejects.toMatchObject({
      code: 'ERR_PIPE_TOO_OLD',
      wrapperVersion: '2.1.4.19786',
    })
    await expect(seen(program)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('ends a process that is not ready in time', async () => {
    await using program = await installedProgram(hang)
    const launch = launchWrapper([], { environment: program.environment, timeoutMs: 1_000 })
    await expect(launch).rejects.toMatchObject({
      code: 'ERR_PIPE_START',
      exitCode: undefined,
      message: 'The wrapper was started, and was not ready within 1000 ms. It was ended.',
    })
    const pid = Number(await readFile(join(program.folder, 'pid'), 'utf8').catch(() => 0))
    if (pid > 0) await ends(pid)
  })

  test('kills a process that does not end, with its children', async () => {
    await using program = await installedProgram(hangOn)
    const giving = new AbortController()
    const launch = launchWrapper([], { environment: program.environment, signal: giving.signal })
    launch.catch(() => undefined)
    await pidOf(program)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      giving.abort(new Error('No longer wanted.'))
      await new Promise(setImmediate)
      // The time for an end without force.
      vi.advanceTimersByTime(3_000)
      await expect(launch).rejects.toThrow('No longer wanted.')
    } finally {
      vi.useRealTimers()
    }
    for (const file of ['pid', 'child']) {
      const pid = await readFile(join(program.folder, file), 'utf8')
      expect(Number(pid)).toBeGreaterThan(0)
      // A zombie has ended, too.
      const stateOf = () => spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim()
      await vi.waitFor(() => expect(stateOf()).toMatch(/^(Z.*)?$/), limit)
    }
  })

  test('starts nothing when already aborted', async () => {
    await using program = await installedProgram(handOver)
    const signal = AbortSignal.abort(new Error('No longer wanted.'))
    await expect(launchWrapper([], { environment: program.environment, signal })).rejects.toThrow(
      'No longer wanted.',
    )
    await expect(seen(program)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('leaves a wrapper alone when aborted after its pipe is there', async () => {
    await using program = await installedProgram(serve)
    const giving = new AbortController()
    // The launch does not look for the pipe a second time.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const launch = launchWrapper([], { environment: program.environment, signal: giving.signal })
      launch.catch(() => undefined)
      while (!existsSync(join(program.folder, 'pid'))) await new Promise(setImmediate)
      giving.abort(new Error('No longer wanted.'))
      await expect(launch).rejects.toThrow('No longer wanted.')
    } finally {
      vi.useRealTimers()
    }
    const pid = await pidOf(program)
    expect(isAlive(pid)).toBe(true)
    process.kill(pid, 'SIGTERM')
    await ends(pid)
  })
})
