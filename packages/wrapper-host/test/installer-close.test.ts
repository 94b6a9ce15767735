import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  defaultBrand,
  pipeAddress,
  pipeKeyBytes,
  pipeKeyFileName,
  unixPipeFolder,
} from '@service-link/protocol-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { installerCommand } from '../src/cli/installer-command.ts'
import { askToClose } from '../src/install/ask-to-close.ts'
import { closeWrappers } from '../src/install/close-wrappers.ts'
import { tryLockInstance } from '../src/instance/instance-lock.ts'
import { ensurePipeKey } from '../src/pipe/pipe-key.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installer-close-'))
  vi.stubEnv('SERVICE_WRAPPER_DATA', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function startWrapper(): Promise<{ child: ChildProcess; brand: typeof defaultBrand }> {
  const script = fileURLToPath(new URL('_closable-wrapper.ts', import.meta.url))
  const child = spawn(process.execPath, ['-C', '@service-link/source', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  return { child, brand: { ...defaultBrand, pipePrefix: String(line).trim() } }
}

/** Nobody can prove anything without it. */
async function withKeyAside(act: () => Promise<void>): Promise<void> {
  const file = join(folder, pipeKeyFileName)
  await rename(file, `${file}.aside`)
  await act()
  await rename(`${file}.aside`, file)
}

describe('an installer closes the wrapper', () => {
  test('once it has proven to be this user’s, and waits until its process is gone; says so when it could ask for no proof', async () => {
    await ensurePipeKey(join(folder, pipeKeyFileName))
    const { child, brand } = await startWrapper()
    const ended = once(child, 'exit')
    const pid = child.pid ?? 0
    const address = pipeAddress(brand, pid, process.platform, unixPipeFolder(process.env))
    const key = randomBytes(pipeKeyBytes)
    expect(await askToClose({ address, pid, key, timeoutMs: 60_000 })).toBe(false)
    expect(child.exitCode).toBeNull()
    await withKeyAside(async () => expect(await installerCommand(['close'], brand)).toBe(1))
    expect(child.exitCode).toBeNull()
    expect(await installerCommand(['close'], brand)).toBe(0)
    expect(await ended).toEqual([0, null])
  })

  test('and is told of one that answers nobody, until it has ended', async () => {
    const brand = { ...defaultBrand, pipePrefix: 'nobodyhere' }
    const lock = tryLockInstance(join(folder, `${'ab'.repeat(16)}.lock`))
    expect(await closeWrappers(brand, { timeoutMs: 100 })).toBe(false)
    lock?.[Symbol.dispose]()
    expect(await closeWrappers(brand, { timeoutMs: 100 })).toBe(true)
  })

  test('and has nothing to do where none runs', async () => {
    expect(await installerCommand(['close'], { ...defaultBrand, pipePrefix: 'nobodyhere' })).toBe(0)
  })
})

test.each([[[]], [['open']], [['close', 'now']], [['settle', 'a', 'b', 'c']], [['constructor']]])(
  'there is no installer command %j',
  async argv => {
    expect(await installerCommand(argv, defaultBrand)).toBe(2)
  },
)
