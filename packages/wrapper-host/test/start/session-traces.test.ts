import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { browserProcesses, canListProcesses, mainPid } from '@service-link/test-kit/processes'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { type StartedExecutable, wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test, vi } from 'vitest'

type Executable = Awaited<ReturnType<typeof wrapperExecutable>>

const soon = { timeout: 60_000 }
/** Text of the session. No name of a file or program contains it. */
const typed = 'Zyxwvut'

/** Leaves the text wherever a page can: addresses, title, storage of all kinds, caches. */
const leaveTraces = `
function leaveTraces(text) {
  document.title = text
  localStorage.setItem('search', text)
  sessionStorage.setItem('search', text)
  document.cookie = 'search=' + text + '; max-age=9999'
  history.pushState({ text }, '', '/persons?text=' + text)
  const opening = indexedDB.open(text)
  opening.onupgradeneeded = () => opening.result.createObjectStore('s').put(text, text)
  const opened = new Promise(resolve => { opening.onsuccess = resolve })
  const cached = caches.open(text).then(cache => cache.put('/kept?' + text, new Response(text)))
  const frame = document.createElement('iframe')
  const sent = new Promise(resolve => { frame.onload = resolve })
  frame.src = '/form?lastname=' + text
  document.documentElement.append(frame)
  return Promise.all([opened, cached, sent, fetch('/cached?' + text)])
}
if (self === top) leaveTraces('${typed}').then(() =>
  fetch('/calls', { method: 'POST', body: JSON.stringify({ name: 'traced', value: {} }) }))
`

/** Starts the wrapper and waits for the traces of its page. */
async function startTraced(wrapper: Executable): Promise<StartedExecutable> {
  const before = wrapper.calls.length
  const running = wrapper.start()
  await running.isWrapper
  await wrapper.called(calls => calls.slice(before).some(({ name }) => name === 'traced'))
  return running
}

/** Files below the per-user folder whose name or content has the text. */
async function findTraces(wrapper: Executable): Promise<readonly string[]> {
  const data = dirname(wrapper.profileFolder)
  const entries = await readdir(data, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    // A browser that runs may remove a file of its own meanwhile.
    const content = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0)
    const isFound = [Buffer.from(typed), Buffer.from(typed, 'utf16le')].some(text => content.includes(text))
    if (isFound || entry.name.includes(typed)) found.push(path.slice(data.length + 1))
  }
  return found
}

/** Profiles of the browser, in the folders of all wrappers. */
async function profiles({ profileFolder }: Executable): Promise<readonly string[]> {
  const names = await readdir(dirname(profileFolder))
  const folders = names.filter(name => name.startsWith('browser') && !name.endsWith('.lock'))
  const inFolder = (name: string) => readdir(join(dirname(profileFolder), name)).catch(() => ['?'])
  return (await Promise.all(folders.map(inFolder))).flat()
}

const killBrowser = async ({ profileFolder }: Executable) =>
  process.kill(await mainPid(profileFolder), 'SIGKILL')

describe.skipIf(!hasBrowser || !canListProcesses)('no file of the user holds a text of the session', () => {
  test('after a signal', async () => {
    await using wrapper = await wrapperExecutable({ script: leaveTraces })
    const { child, ended } = await startTraced(wrapper)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ exitCode: 0 })
    expect(await findTraces(wrapper)).toEqual([])
    expect(await profiles(wrapper)).toEqual([])
  })

  test.each([true, false])('after a kill and the next start; with the browser: %j', async isWithBrowser => {
    await using wrapper = await wrapperExecutable({ script: leaveTraces })
    const { child, ended } = await startTraced(wrapper)
    const browser = await mainPid(wrapper.profileFolder)
    child.kill('SIGKILL')
    if (isWithBrowser) process.kill(browser, 'SIGKILL')
    await ended
    // Refused after the clean-up, so that only the killed start has left anything.
    const next = await wrapper.start(`provider=${defaultBrand.providers.arguments}`, 'id=1').ended
    expect(next.exitCode).toBe(2)
    expect(await findTraces(wrapper)).toEqual([])
    expect(await profiles(wrapper)).toEqual([])
    await vi.waitFor(async () => expect(await browserProcesses(wrapper.profileFolder)).toEqual([]), soon)
    expect(await findTraces(wrapper)).toEqual([])
  })

  test('after a kill of the browser: the next one has another profile', async () => {
    await using wrapper = await wrapperExecutable({ script: leaveTraces })
    await startTraced(wrapper)
    const [former] = await profiles(wrapper)
    await killBrowser(wrapper)
    await vi.waitFor(async () => {
      const now = await profiles(wrapper)
      expect(now).toHaveLength(1)
      expect(now).not.toEqual([former])
    }, soon)
  })
})
