import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

/** Resumes where a stand-in is the installed wrapper. Returns what that writes. */
async function resumed(): Promise<string> {
  const script = join(folder, 'wrapper.mjs')
  const output = join(folder, 'output')
  const text = `import { renameSync, writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(script)}, 'started')
renameSync(${JSON.stringify(script)}, ${JSON.stringify(output)})`
  await writeFile(script, text, { mode: 0o600 })
  const command = [process.execPath, script]
  await writeFile(
    join(folder, 'install.json'),
    JSON.stringify({ path: folder, version: '3.0.0.0', command }),
    {
      mode: 0o600,
    },
  )
  expect(await installerCommand(['resume'], defaultBrand)).toBe(0)
  return vi.waitFor(() => readFile(output, 'utf8'), { timeout: 30_000 })
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
    // As on another desktop of this user a moment later, where none runs any more.
    expect(await installerCommand(['suspend'], defaultBrand)).toBe(0)
    const notes = async () => (await readdir(folder)).filter(name => name.startsWith('suspended-'))
    const [noted = ''] = await notes()
    expect(noted).toMatch(/^suspended-[\da-f]{32}$/)
    // One of another desktop is left to it, and one of an installation long ago starts nothing.
    await rename(join(folder, noted), join(folder, 'suspended-elsewhere'))
    expect(await installerCommand(['resume'], defaultBrand)).toBe(0)
    expect(await notes()).toEqual(['suspended-elsewhere'])
    await rename(join(folder, 'suspended-elsewhere'), join(folder, noted))
    await utimes(join(folder, noted), 0, 0)
    expect(await installerCommand(['resume'], defaultBrand)).toBe(0)
    expect(await notes()).toEqual([])
    await writeFile(join(folder, noted), '')
    expect(await resumed()).toBe('started')
    expect(await notes()).toEqual([])
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
