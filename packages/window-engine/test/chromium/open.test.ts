import { execFile } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, headless, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, it } from 'vitest'
import { makeProfile } from '../../src/chromium/browser-profile.ts'
import { createChromiumEngine, probeEngine, selectEngine } from '../../src/chromium/create-chromium-engine.ts'
import { openChromiumWindow } from '../../src/chromium/open-chromium-window.ts'
import { windowPlatform } from '../../src/platform/current-platform.ts'

const historyScript = `send => { globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) } }`
const bounds = { timeoutMs: 30_000 }
const profileModule = new URL('../../src/chromium/browser-profile.ts', import.meta.url).href

describe('looking for a browser', () => {
  it('says what to do when none is installed', async () => {
    const environment = { PATH: '/nowhere', SERVICE_BROWSER: '/nowhere/browser' }
    const engine = createChromiumEngine({ isHeadless: true, environment })
    const { isAvailable, reason } = await engine.probe()
    expect(isAvailable).toBe(false)
    expect(reason).toContain('SERVICE_BROWSER')
    await expect(probeEngine(engine)).rejects.toMatchObject({ code: 'ERR_ENGINE', fault: 'not-available' })
    await expect(openTestWindow({ url: 'http://127.0.0.1/' }, engine)).rejects.toMatchObject({
      fault: 'not-available',
    })
  })

  it.each(['/nope', 'no-such-browser', tmpdir()])(
    'takes no executable that cannot be started: %s',
    async executable => {
      const { isAvailable, reason } = await createChromiumEngine({ isHeadless: true, executable }).probe()
      expect({ isAvailable, reason }).toEqual({
        isAvailable: false,
        reason: 'The option executable must be the whole path of a browser that can be started.',
      })
    },
  )

  it.runIf(process.platform === 'linux')('names the variable when its program is no browser', async () => {
    const engine = createChromiumEngine({ isHeadless: true, environment: { SERVICE_BROWSER: '/bin/true' } })
    await expect(openTestWindow({ url: 'http://127.0.0.1/' }, engine)).rejects.toMatchObject({
      fault: 'did-not-start',
      message: expect.stringContaining('The variable SERVICE_BROWSER names this program'),
    })
  })

  it('names an option of a window that is missing', async () => {
    const opened = createChromiumEngine({ isHeadless: true }).open({ url: 'http://localhost/' } as never)
    await expect(opened).rejects.toThrow('The parameter options.profileFolder is missing')
  })

  it.runIf(process.platform === 'linux')('needs a display for a window', async () => {
    const { isAvailable, reason } = await createChromiumEngine({ environment: {} }).probe()
    expect(isAvailable).toBe(false)
    expect(reason).toContain('Headless')
  })

  it.runIf(process.platform !== 'win32')('starts no browser unless its version is requested', async () => {
    await using folder = await temporaryFolder()
    const executable = join(folder.path, 'browser')
    const started = join(folder.path, 'started')
    await writeFile(executable, `#!/bin/sh\ntouch '${started}'\necho Browser 1.2\n`, { mode: 0o755 })
    const engine = createChromiumEngine({ isHeadless: true, executable })
    await probeEngine(engine)
    await expect(access(started)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await engine.probe()).toEqual({ isAvailable: true, description: 'Browser 1.2' })
  })

  it.runIf(hasBrowser)('names browser and version', async () => {
    expect((await headless.probe()).description).toMatch(/\w \d+\.\d/)
  })

  it.each([
    ['EoWebBrowser', 'EoWebBrowser'],
    ['internetexplorer', 'InternetExplorer'],
    [' headless ', 'Headless'],
  ])('finds the engine for the setting %j', (setting, name) => {
    expect(selectEngine(setting).name).toBe(name)
  })

  it('refuses a setting that names no engine', () => {
    expect(() => selectEngine('Gecko')).toThrow(/EoWebBrowser, InternetExplorer, Headless/)
  })
})

describe.runIf(hasBrowser)('opening a window', () => {
  it('sends the user agent’s suffix from the first request on, and keeps client hints', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({
      url: `${site.origin}/`,
      userAgentSuffix: 'Service.Client.WebWrapper/3.0.0.0 (Acme)',
    })
    await nextEvent(opened.window, 'loaded')
    const [first] = site.requests.get('/') ?? []
    expect(first?.['user-agent']).toMatch(/^Mozilla.* Service\.Client\.WebWrapper\/3\.0\.0\.0 \(Acme\)$/)
    expect(first?.['sec-ch-ua']).toMatch(/Chrom|Edge/)
    expect(first?.['sec-ch-ua-platform']).toMatch(/Linux|macOS|Windows/)
  })

  it('marks a service worker’s requests with the same suffix', async () => {
    const app = `<script>navigator.serviceWorker.register('/worker.js')</script>`
    const worker = { type: 'text/javascript', body: `fetch('/from-worker').then(() => fetch('/done'))` }
    await using site = await serveSite({ '/': app, '/worker.js': worker, '/from-worker': '', '/done': '' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, userAgentSuffix: 'Suffix/1' })
    await nextEvent(opened.window, 'loaded')
    const headers = await site.nextRequest('/from-worker')
    expect(headers['user-agent']).toMatch(/ Suffix\/1$/)
  })

  it('leaves no page to go back to', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: historyScript })
    await nextEvent(opened.window, 'loaded')
    await expect.poll(() => opened.window.call('history.length', bounds), { timeout: 20_000 }).toBe(1)
  })

  it('answers a page’s alert without a visible window', async () => {
    const app = `<script>alert('seen?'); document.title = String(confirm('sure?'))</script>`
    await using site = await serveSite({ '/': app })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: historyScript })
    await nextEvent(opened.window, 'loaded')
    expect(await opened.window.call('document.title', bounds)).toBe('false')
  })

  it('has its own profile beside another browser’s', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using first = await openTestWindow({ url: `${site.origin}/` })
    const { profileFolder } = first
    await using second = await openTestWindow({ url: `${site.origin}/`, profileFolder })
    await nextEvent(second.window, 'loaded')
    expect(await first.window.windowState()).toBe('normal')
  })
})

describe.runIf(process.platform !== 'win32')('a browser that fails to start', () => {
  it.each([
    ['ends at once', '#!/bin/sh\nexit 3\n', /exit code 3/],
    ['finds no display', '#!/bin/sh\necho "ERROR: Missing X server or $DISPLAY" >&2\nexit 1\n', /display/],
    ['closes its pipes long before it ends', '#!/bin/sh\nexec 3<&- 4>&-\nsleep 1\nexit 3\n', /exit code 3/],
    ['lacks a library', '#!/bin/sh\necho "x: cannot open shared object file" >&2\nexit 127\n', /library/],
    [
      'finds no sandbox',
      '#!/bin/sh\necho "[1:1:FATAL:x.cc(9)] No usable sandbox!" >&2\nexit 1\n',
      /namespaces/,
    ],
    [
      'finds its disk full',
      '#!/bin/sh\necho "Failed to write: No space left on device" >&2\nexit 0\n',
      /disk .* is full/,
    ],
    [
      'may not write',
      '#!/bin/sh\necho "Failed to create /x/SingletonLock: Permission denied" >&2\nexit 21\n',
      /cannot write/,
    ],
    ['is ended by a signal', '#!/bin/sh\nkill -SEGV $$\n', /signal SIGSEGV/],
    [
      'gives up in its own words',
      '#!/bin/sh\necho "[7:7:1126/1:ERROR:a.cc(1)] Odd policy at https://kari:pw@proxy/x" >&2\nexit 0\n',
      /exit code 0\. Its last words: Odd policy at \[address\]$/,
    ],
  ])('is reported with a reason when it %s', async (_name, script, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'window-test-'))
    const executable = join(folder, 'browser')
    await writeFile(executable, script, { mode: 0o755 })
    const engine = createChromiumEngine({ isHeadless: true, executable })
    const opening = openTestWindow({ url: 'http://127.0.0.1/', profileFolder: folder }, engine)
    await expect(opening).rejects.toMatchObject({
      fault: 'did-not-start',
      message: expect.stringMatching(message),
    })
    await rm(folder, { recursive: true })
  })

  it('is not started when the opening was aborted while its profile was prepared', async () => {
    await using folder = await temporaryFolder()
    const executable = join(folder.path, 'browser')
    const started = join(folder.path, 'started')
    await writeFile(executable, `#!/bin/sh\ntouch '${started}'\nexec sleep 600\n`, { mode: 0o755 })
    const controller = new AbortController()
    const opening = openChromiumWindow({
      engine: 'Headless',
      executable,
      isHeadless: true,
      platform: windowPlatform(),
      environment: process.env,
      openExternal: () => undefined,
      startTimeoutMs: 2000,
      url: 'http://127.0.0.1/',
      profileFolder: join(folder.path, 'profile'),
      userAgentSuffix: '',
      pageScript: 'send => undefined',
      allowedOrigins: ['http://127.0.0.1'],
      signal: controller.signal,
    })
    controller.abort(new Error('given up'))
    await expect(opening).rejects.toThrow('given up')
    await expect(access(started)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is killed when it never answers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'window-test-'))
    const executable = join(folder, 'browser')
    await writeFile(executable, '#!/bin/sh\necho waiting for a ghost >&2\nexec sleep 600\n', { mode: 0o755 })
    const engine = createChromiumEngine({ isHeadless: true, executable, startTimeoutMs: 3000 })
    const opening = openTestWindow({ url: 'http://127.0.0.1/', profileFolder: folder }, engine)
    await expect(opening).rejects.toMatchObject({
      code: 'ERR_ENGINE',
      fault: 'timeout',
      message: expect.stringMatching(/no window in time.* Its last words: waiting for a ghost$/),
    })
    expect(await readdir(folder)).toEqual(['browser'])
    await rm(folder, { recursive: true })
  })
})

describe('a folder that cannot hold a profile', () => {
  const open = (profileFolder: string) => makeProfile({ profileFolder, origins: [] })

  it('is a file, or lies below one', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'file')
    await writeFile(file, '')
    for (const profileFolder of [file, join(file, 'browser')])
      await expect(open(profileFolder)).rejects.toMatchObject({
        fault: 'profile-unusable',
        message: expect.stringMatching(/\((EEXIST|ENOTDIR|ENOENT)\)\. A file has the place/),
      })
  })

  it.skipIf(process.platform === 'win32')('has too long a path', async () => {
    const opening = open(join(tmpdir(), 'x'.repeat(300)))
    await expect(opening).rejects.toMatchObject({
      message: expect.stringMatching(/ENAMETOOLONG.*shorter path/),
    })
  })

  // Root may write everywhere: the process becomes another user for the attempt.
  it.skipIf(process.platform === 'win32')('may not be written by this user', async () => {
    await using folder = await temporaryFolder()
    await chmod(folder.path, 0o755)
    await mkdir(join(folder.path, 'browser'), { mode: 0o555 })
    const attempt = `const { makeProfile } = await import(process.argv[1])
      await makeProfile({ profileFolder: process.argv[2], origins: [] }).catch(error => console.log(error.message))`
    const isRoot = process.getuid?.() === 0
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-C',
      '@service-link/source',
      '--input-type=module',
      '-e',
      isRoot ? `process.setuid(65534)\n${attempt}` : attempt,
      profileModule,
      join(folder.path, 'browser'),
    ])
    expect(stdout).toMatch(
      /cannot be made in the folder .*browser \(EACCES\)\. Make sure that this user may write/,
    )
  })
})
