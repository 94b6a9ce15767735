import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openTestWindow } from './_window-browser.ts'
import { nextEvent } from './_window-events.ts'
import { browserProcesses, canListProcesses } from './_window-processes.ts'
import { serveSite } from './_window-site.ts'

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
    const processes = await browserProcesses(opened.profileFolder)
    const main = processes.find(({ pid, session }) => pid === session)
    const closed = nextEvent(opened.window, 'closed')
    process.kill(main?.pid ?? 0, 'SIGKILL')
    await closed
    expect(await browserProcesses(opened.profileFolder)).toEqual([])
    expect(await opened.window.windowState()).toBe('closed')
  })

  it('are gone after close although the browser was stopped and cannot answer', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/` })
    await nextEvent(opened.window, 'loaded')
    const processes = await browserProcesses(opened.profileFolder)
    const main = processes.find(({ pid, session }) => pid === session)
    process.kill(main?.pid ?? 0, 'SIGSTOP')
    await opened.window.close()
    expect(await browserProcesses(opened.profileFolder)).toEqual([])
  })

  it('are gone when the opening was given up', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    const profileFolder = await mkdtemp(join(tmpdir(), 'window-test-'))
    const controller = new AbortController()
    const opening = openTestWindow({ url: `${site.origin}/`, profileFolder, signal: controller.signal })
    const rejection = expect(opening).rejects.toThrow('given up')
    await expect.poll(async () => (await browserProcesses(profileFolder)).length, polling).toBeGreaterThan(0)
    controller.abort(new Error('given up'))
    await rejection
    expect(await browserProcesses(profileFolder)).toEqual([])
    await rm(profileFolder, { recursive: true, force: true })
  })

  it('end by themselves when the process that opened the window is killed', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    const profileFolder = await mkdtemp(join(tmpdir(), 'window-test-'))
    const script = fileURLToPath(new URL('_window-host-process.ts', import.meta.url))
    const host: ChildProcess = spawn(
      process.execPath,
      ['-C', '@service-link/source', script, `${site.origin}/`, profileFolder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    if (host.stdout) await once(host.stdout, 'data')
    expect((await browserProcesses(profileFolder)).length).toBeGreaterThan(1)
    host.kill('SIGKILL')
    await once(host, 'exit')
    await expect.poll(() => browserProcesses(profileFolder), polling).toEqual([])
    await rm(profileFolder, { recursive: true, force: true })
  })
})
