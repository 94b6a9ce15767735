import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ownDesktop } from '@service-link/pipe-client/running'
import { type Brand, defaultBrand } from '@service-link/protocol-core'
import { memoryTerminal } from '@service-link/terminal/testing'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { closeWrappers } from '../../src/cli/installer.ts'
import { runSubcommand } from '../../src/cli/subcommands.ts'
import { tryLockInstance } from '../../src/start/instance-lock.ts'

let folder: string
afterEach(() => void vi.unstubAllEnvs())

/** A per-user folder without a wrapper. */
async function newFolder() {
  const made = await temporaryFolder()
  folder = made.path
  vi.stubEnv('SERVICE_WRAPPER_DATA', folder)
  return made
}

function installerCommand(argv: readonly string[], brand: Brand) {
  const identity = { brand, version: '3.0.0.0', programName: 'wrapper' }
  return runSubcommand(['installer', ...argv], identity, memoryTerminal())
}

/** Starts a wrapper in another process. The installer's step finds its per-user folder. */
async function startWrapper(): Promise<ChildProcess> {
  const program = await bundleProgram(new URL('../../src/cli/service-webwrapper.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'test'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  folder = JSON.parse(line).userFolder
  vi.stubEnv('SERVICE_WRAPPER_DATA', folder)
  return child
}

/** Replaces a secret in the wrapper's record while `act` runs. */
async function withWrongKey(act: () => Promise<void>): Promise<void> {
  const run = join(folder, 'run')
  const file = join(run, (await readdir(run)).find(name => name.endsWith('.json')) ?? '')
  const text = await readFile(file, 'utf8')
  const record = JSON.parse(text)
  await writeFile(file, JSON.stringify({ ...record, key: { ...record.key, answer: 'a'.repeat(64) } }))
  await act()
  await writeFile(file, text)
}

describe('an installer closes the wrapper', () => {
  test('after its proof, and waits until its process is gone', async () => {
    const child = await startWrapper()
    const ended = once(child, 'exit')
    await withWrongKey(async () => expect(await closeWrappers(defaultBrand, { timeoutMs: 200 })).toBe(false))
    expect(child.exitCode).toBeNull()
    expect(await installerCommand(['close'], defaultBrand)).toBe(0)
    expect(await ended).toEqual([0, null])
  })

  test('for an update, and notes its desktop for the start after it', async () => {
    const child = await startWrapper()
    const ended = once(child, 'exit')
    expect(await installerCommand(['suspend'], defaultBrand)).toBe(0)
    expect(await ended).toEqual([0, null])
    const note = join(folder, 'suspended.json')
    expect(JSON.parse(await readFile(note, 'utf8'))).toEqual({
      ...{ desktops: [ownDesktop()], at: expect.any(Number) },
    })
    // One of another desktop, and one of an installation long ago, start nothing here.
    await writeFile(note, JSON.stringify({ desktops: ['elsewhere'], at: Date.now() }))
    expect(await installerCommand(['resume'], defaultBrand)).toBe(0)
    expect(JSON.parse(await readFile(note, 'utf8')).desktops).toEqual(['elsewhere'])
    await writeFile(note, JSON.stringify({ desktops: [ownDesktop()], at: 0 }))
    expect(await installerCommand(['resume'], defaultBrand)).toBe(0)
    await expect(readFile(note)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('on all desktops on Windows only', async () => {
    expect(await installerCommand(['forget', '--all-desktops'], defaultBrand)).toBe(2)
    if (process.platform !== 'win32')
      expect(await installerCommand(['suspend', '--all-desktops'], defaultBrand)).toBe(1)
  })

  test('and reports one that never answers, until it has ended', async () => {
    await using _folder = await newFolder()
    const brand = { ...defaultBrand, pipePrefix: 'nobodyhere' }
    await mkdir(join(folder, 'run'), { mode: 0o700 })
    const lock = tryLockInstance(join(folder, 'run', 'abababababab.lock'))
    expect(await closeWrappers(brand, { timeoutMs: 100 })).toBe(false)
    lock?.[Symbol.dispose]()
    expect(await closeWrappers(brand, { timeoutMs: 100 })).toBe(true)
  })

  test('and does nothing when none runs', async () => {
    await using _folder = await newFolder()
    expect(await installerCommand(['close'], { ...defaultBrand, pipePrefix: 'nobodyhere' })).toBe(0)
  })
})
