import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { describe, expect, test, vi } from 'vitest'
import { openLog } from '../../src/log/log.ts'
import { isWine } from '../support/wine.ts'

const launchId = '7f3e1a52-6b0c-4a1f-9d38-0a4b6c1d2e3f'

async function readLines(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

describe('the log', () => {
  test('has a line of JSON for each event, with time, level and facts', async () => {
    await using at = await temporaryFolder()
    const folder = join(at.path, 'user', 'logs')
    using log = openLog({ folder, level: 'info' })
    log.report({ type: 'launch-failed', launchId, code: 'ERR_ARGS' })
    log.report({ type: 'closing' })
    const lines = await readLines(join(folder, 'wrapper.log'))
    expect(lines).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        pid: process.pid,
        event: 'launch-failed',
        launchId,
        code: 'ERR_ARGS',
      },
      { level: 'info', time: expect.any(String), pid: process.pid, event: 'closing' },
    ])
    for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time)
  })

  test.each([
    ['debug', ['page-crashed', 'page-protocol', 'closing', 'web-app-connected']],
    ['info', ['page-crashed', 'page-protocol', 'closing']],
    ['warn', ['page-crashed', 'page-protocol']],
    ['error', ['page-crashed']],
  ] as const)('at the level %s holds %j', async (level, expected) => {
    await using at = await temporaryFolder()
    using log = openLog({ folder: at.path, level })
    log.report({ type: 'page-crashed' })
    log.report({ type: 'page-protocol', spoken: 2, wanted: 1 })
    log.report({ type: 'closing' })
    log.report({ type: 'web-app-connected', isSignedIn: false })
    const lines = await readLines(join(at.path, 'wrapper.log'))
    expect(lines.map(({ event }) => event)).toEqual(expected)
  })

  test('makes neither file nor folder when it is off', async () => {
    await using at = await temporaryFolder()
    using log = openLog({ folder: join(at.path, 'logs'), level: 'off' })
    log.report({ type: 'page-crashed' })
    expect(await readdir(at.path)).toEqual([])
  })

  test.each(['off', 'error', 'debug'] as const)(
    'that is %s holds everything once a program asks',
    async level => {
      await using at = await temporaryFolder()
      using log = openLog({ folder: at.path, level })
      log.writeAll()
      log.writeAll()
      log.report({ type: 'web-app-connected', isSignedIn: false })
      const lines = await readLines(join(at.path, 'wrapper.log'))
      expect(lines.map(({ level, event }) => [level, event])).toEqual([
        ['info', 'log-detailed'],
        ['debug', 'web-app-connected'],
      ])
    },
  )

  test('keeps the newest lines in two files of bounded size', async () => {
    await using at = await temporaryFolder()
    using log = openLog({ folder: at.path, level: 'info', maxFileBytes: 1000 })
    for (let spoken = 1; spoken <= 100; spoken++) log.report({ type: 'page-protocol', spoken, wanted: 0 })
    const files = ['wrapper.1.log', 'wrapper.log']
    expect((await readdir(at.path)).sort()).toEqual(files)
    for (const file of files) expect((await stat(join(at.path, file))).size).toBeLessThanOrEqual(1000)
    const lines = (await Promise.all(files.map(file => readLines(join(at.path, file))))).flat()
    const kept = lines.map(({ spoken }) => spoken)
    expect(kept.length).toBeGreaterThan(6)
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 101 - kept.length + index))
  })

  test.skipIf(process.platform === 'win32')('is private to its user', async () => {
    await using at = await temporaryFolder()
    const folder = join(at.path, 'logs')
    using log = openLog({ folder, level: 'info' })
    log.report({ type: 'closing' })
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'wrapper.log'))).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written is reported once, and resumes as soon as possible', async () => {
    await using at = await temporaryFolder()
    const folder = join(at.path, 'logs')
    await writeFile(folder, '')
    const onFault = vi.fn()
    using log = openLog({ folder, level: 'info', onFault })
    log.report({ type: 'closing' })
    log.report({ type: 'closing' })
    expect(onFault.mock.calls).toEqual([
      [{ type: 'log-unwritable', reason: expect.stringMatching(/^E[A-Z]+$/) }],
    ])
    await rm(folder)
    log.report({ type: 'page-crashed' })
    expect((await readLines(join(folder, 'wrapper.log'))).map(({ event }) => event)).toEqual(['page-crashed'])
    expect(onFault).toHaveBeenCalledTimes(1)
  })

  test.skipIf(process.platform !== 'linux')('on a full disk disturbs nothing', async () => {
    await using at = await temporaryFolder()
    await symlink('/dev/full', join(at.path, 'wrapper.log'))
    const onFault = vi.fn()
    using log = openLog({ folder: at.path, level: 'info', onFault })
    log.report({ type: 'closing' })
    log.report({ type: 'closing' })
    expect(onFault.mock.calls).toEqual([[{ type: 'log-unwritable', reason: 'ENOSPC' }]])
    // The disk has room again. The cut line stays, and the next one starts a new line.
    await rm(join(at.path, 'wrapper.log'))
    await appendFile(join(at.path, 'wrapper.log'), '{"level":"in')
    log.report({ type: 'page-crashed' })
    const text = await readFile(join(at.path, 'wrapper.log'), 'utf8')
    expect(JSON.parse(text.split('\n')[1] ?? '')).toMatchObject({ event: 'page-crashed' })
  })

  // Wine lets a folder replace a file.
  test.skipIf(isWine)('that cannot begin a new file grows to twice its size, and loses nothing', async () => {
    await using at = await temporaryFolder()
    const onFault = vi.fn()
    using log = openLog({ folder: at.path, level: 'info', maxFileBytes: 200, onFault })
    const obstacle = join(at.path, 'wrapper.1.log')
    await mkdir(join(obstacle, 'something'), { recursive: true })
    for (let count = 0; count < 4; count++) log.report({ type: 'closing' })
    expect(onFault).not.toHaveBeenCalled()
    expect(await readLines(join(at.path, 'wrapper.log'))).toHaveLength(4)
    for (let count = 0; count < 10; count++) log.report({ type: 'closing' })
    expect(onFault).toHaveBeenCalledTimes(1)
    expect((await stat(join(at.path, 'wrapper.log'))).size).toBeLessThanOrEqual(600)
    await rm(obstacle, { recursive: true })
    log.report({ type: 'closing' })
    expect(await readLines(join(at.path, 'wrapper.log'))).toHaveLength(1)
    expect((await readLines(obstacle)).length).toBeGreaterThan(4)
  })

  test('may be deleted at any time', async () => {
    await using at = await temporaryFolder()
    using log = openLog({ folder: at.path, level: 'info' })
    log.report({ type: 'page-crashed' })
    await rm(join(at.path, 'wrapper.log'))
    log.report({ type: 'closing' })
    expect((await readLines(join(at.path, 'wrapper.log'))).map(({ event }) => event)).toEqual(['closing'])
  })

  test('accepts nothing after its close', async () => {
    await using at = await temporaryFolder()
    const log = openLog({ folder: at.path, level: 'info' })
    log.report({ type: 'closing' })
    log[Symbol.dispose]()
    log.report({ type: 'page-crashed' })
    expect(await readLines(join(at.path, 'wrapper.log'))).toHaveLength(1)
  })

  // Wine does not append in one step, as Windows does.
  test.skipIf(isWine)(
    'has every line of the processes that share it, even the last before a kill',
    {
      timeout: 120_000,
    },
    async () => {
      await using at = await temporaryFolder()
      const program = `
      import { openLog } from ${JSON.stringify(new URL('../../src/log/log.ts', import.meta.url).href)}
      const log = openLog({ folder: ${JSON.stringify(at.path)}, level: 'info' })
      for (let spoken = 1; spoken <= 200; spoken++) log.report({ type: 'page-protocol', spoken, wanted: 0 })
      process.kill(process.pid, 'SIGKILL')`
      const run = async () => {
        const child = spawn(
          process.execPath,
          ['-C', '@service-link/source', '--input-type=module', '-e', program],
          { stdio: 'ignore' },
        )
        await once(child, 'exit')
        return child.pid
      }
      const pids = await Promise.all([run(), run()])
      const lines = await readLines(join(at.path, 'wrapper.log'))
      for (const pid of pids)
        expect(lines.filter(line => line.pid === pid).map(({ spoken }) => spoken)).toEqual(
          Array.from({ length: 200 }, (_, index) => index + 1),
        )
    },
  )
})
