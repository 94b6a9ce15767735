import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '@service-link/test-kit/browser'
import { nextEvent } from '@service-link/test-kit/next-event'
import {
  browserProcesses,
  canListProcesses,
  mainPid,
  sessionProcesses,
} from '@service-link/test-kit/processes'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, it } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

const polling = { timeout: 20_000, interval: 25 }

describe.runIf(hasBrowser && canListProcesses)('the processes of the browser', () => {
  it('are gone when close resolves', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/` })
    await nextEvent(opened.window, 'loaded')
    expect((await browserProcesses(opened.profileFolder)).length).toBeGreaterThan(1)
    const closed = nextEvent(opened.window, 'closed')
    await opened.window.close()
    expect(await browserProcesses(opened.profileFolder)).toEqual([])
    await closed
  })

  it('are gone after the browser was killed, which closes the window', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/` })
    await nextEvent(opened.window, 'loaded')
    const closed = nextEvent(opened.window, 'closed')
    process.kill(await mainPid(opened.profileFolder), 'SIGKILL')
    await closed
    expect(await browserProcesses(opened.profileFolder)).toEqual([])
    expect(await opened.window.windowState()).toBe('closed')
  })

  it('are gone after close although the browser was stopped and cannot answer', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/` })
    await nextEvent(opened.window, 'loaded')
    process.kill(await mainPid(opened.profileFolder), 'SIGSTOP')
    await opened.window.close()
    expect(await browserProcesses(opened.profileFolder)).toEqual([])
  })

  it('are gone when the opening was aborted', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using folder = await temporaryFolder()
    const engine = createChromiumEngine({ isHeadless: true, executable: await deafBrowser(folder.path) })
    const profileFolder = join(folder.path, 'profile')
    const controller = new AbortController()
    const { signal } = controller
    const opening = openTestWindow({ url: `${site.origin}/`, profileFolder, signal }, engine)
    const rejection = expect(opening).rejects.toThrow('given up')
    await expect.poll(async () => (await browserProcesses(profileFolder)).length, polling).toBeGreaterThan(1)
    controller.abort(new Error('given up'))
    await rejection
    expect(await browserProcesses(profileFolder)).toEqual([])
  })

  it('end by themselves when the process of the window is killed', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    const profileFolder = await mkdtemp(join(tmpdir(), 'window-test-'))
    const script = fileURLToPath(new URL('../support/host-process.ts', import.meta.url))
    const host: ChildProcess = spawn(
      process.execPath,
      ['-C', '@service-link/source', script, `${site.origin}/`, profileFolder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    if (host.stdout) await once(host.stdout, 'data')
    const session = await mainPid(profileFolder)
    expect((await sessionProcesses(session)).length).toBeGreaterThan(1)
    host.kill('SIGKILL')
    await once(host, 'exit')
    // A new wrapper's window waits for the former browser.
    const again = await openTestWindow({ url: `${site.origin}/`, profileFolder })
    await again.window.close()
    // Until the last process ends, it may write into the folder.
    await expect.poll(() => sessionProcesses(session), polling).toEqual([])
    await rm(profileFolder, { recursive: true, force: true })
  })
})

/** A program that starts the browser and swallows its calls, so that the opening never ends. */
async function deafBrowser(folder: string): Promise<string> {
  const executable = findBrowser() ?? ''
  const silence = join(folder, 'silence')
  const program = join(folder, 'browser')
  execFileSync('mkfifo', [silence])
  await writeFile(program, `#!/bin/sh\nexec '${executable}' "$@" 5<&3 3<>'${silence}'\n`, {
    mode: 0o755,
  })
  return program
}
