import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findBrowser } from '@service-link/test-kit/browser'
import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite, type TestPage, type TestPages, type TestSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { afterAll, describe, expect, it } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { EngineWindow } from '../../src/engine.ts'

const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression), send }
}`
const bounds = { timeoutMs: 30_000 }

/** Writes a start script of the browser that lets scripts open windows as after a user action. Returns its path. */
async function allowPopUps(folder: string): Promise<string> {
  const executable = findBrowser() ?? ''
  // The engine knows a browser without windows by its name.
  const script = join(folder, `pop-up-${basename(executable)}`)
  const call = `exec '${executable}' --disable-popup-blocking "$@"`
  await writeFile(script, `#!/bin/sh\n${call}\n`, { mode: 0o700 })
  return script
}

/** A site whose pages each test replaces, in one window for all tests. Records external links instead of opening them. */
class Stage {
  readonly #resources = new AsyncDisposableStack()
  readonly #pages: Record<string, string | TestPage> = {}
  readonly #external = new TransformStream<string, string>()
  readonly #opened = this.#external.readable[Symbol.asyncIterator]()
  #site: TestSite | undefined
  #window: EngineWindow | undefined

  /** Shows the page `/` of a site. */
  async show(pages: TestPages) {
    for (const path of Object.keys(this.#pages)) delete this.#pages[path]
    Object.assign(this.#pages, pages)
    this.#site ??= this.#resources.use(await serveSite(this.#pages))
    const site = this.#site
    site.requests.clear()
    site.queries.length = 0
    if (this.#window) {
      const loaded = nextEvent(this.#window, 'loaded', ({ url }) => url === `${site.origin}/`)
      await this.#window.navigate(`${site.origin}/`)
      await loaded
    } else {
      this.#window = await this.#open(`${site.origin}/`)
    }
    return { site, window: this.#window, nextExternal: async () => (await this.#opened.next()).value }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync()
  }

  async #open(url: string): Promise<EngineWindow> {
    const folder = this.#resources.use(await temporaryFolder())
    const executable = await allowPopUps(folder.path)
    const writer = this.#external.writable.getWriter()
    const engine = createChromiumEngine({
      isHeadless: true,
      executable,
      openExternal: to => void writer.write(to),
    })
    const options = { url, pageScript, userAgentSuffix: 'Suffix/1', languages: ['nb-NO'] }
    const { window } = this.#resources.use(await openTestWindow(options, engine))
    await nextEvent(window, 'loaded')
    return window
  }
}

const stage = new Stage()
afterAll(() => stage[Symbol.asyncDispose]())

const clickScript = (id: string) => `document.getElementById('${id}').click()`

describe.runIf(hasBrowser)('a further window of the web app', () => {
  it.each([
    ['a link into a new window', clickScript('link')],
    ['a link that keeps its opener', clickScript('opener')],
    ['window.open', `void window.open(document.getElementById('link').href)`],
    [
      'window.open of an empty page that is then sent there',
      `{ const opened = window.open(''); opened.location = document.getElementById('link').href }`,
    ],
  ])('goes to the operating system when it leads elsewhere: %s', async (_name, script) => {
    await using other = await serveSite({ '/article': '<p>article' })
    const to = `${other.origin}/article?a=1&b=%22%20ø`
    const app = `<a id=link target=_blank href="${to}">x</a><a id=opener target=_blank rel=opener href="${to}">x</a>`
    const { window, nextExternal } = await stage.show({ '/': `<meta charset=utf-8>${app}` })
    await window.call(script, bounds)
    expect(await nextExternal()).toBe(new URL(to).href)
    expect(other.requests.has('/article')).toBe(false)
    expect(await window.call('location.pathname', bounds)).toBe('/')
  })

  it.each([
    ['a link', clickScript('link')],
    ['window.open', `void window.open('/article', 'article', 'width=300,height=300')`],
  ])('opens in the first window when it has the web app’s origin: %s', async (_name, script) => {
    const app = '<a id=link target=_blank href="/article">x</a>'
    const { site, window } = await stage.show({ '/': app, '/article': '<p>article' })
    const loaded = nextEvent(window, 'loaded')
    await window.call(script, bounds)
    expect(await loaded).toEqual({ url: `${site.origin}/article` })
    expect((await site.nextRequest('/article'))['user-agent']).toMatch(/ Suffix\/1$/)
    expect(await window.call('location.pathname', bounds)).toBe('/article')
    expect(site.queries.filter(path => path === '/article')).toHaveLength(1)
  })

  it('stays when it is an empty window that the web app fills, to be printed', async () => {
    const pages: TestPages = { '/': '<p>app', '/seen': '' }
    const { site, window } = await stage.show(pages)
    const script = `{ const opened = window.open('')
opened.document.write('<p>to print<script>opener.fetch("/seen?" + typeof __wrapperHost + self.closed)</' + 'script>') }`
    await window.call(script, bounds)
    await site.nextRequest('/seen')
    expect(site.queries).toContain('/seen?undefinedfalse')
    expect(await window.call('location.pathname', bounds)).toBe('/')
  })

  it('stays for a post elsewhere, which cannot be handed over', async () => {
    await using other = await serveSite({ '/form': '<p>form' })
    const app = `<form id=form target=_blank method=post action="${other.origin}/form"><input name=a value=b></form>`
    const { window } = await stage.show({ '/': app })
    await window.call(`document.getElementById('form').submit()`, bounds)
    expect(await other.nextRequest('/form')).toMatchObject({
      'content-type': expect.stringContaining('urlencoded'),
      'accept-language': expect.stringMatching(/^nb-NO,nb;/),
    })
  })
})

describe.runIf(hasBrowser)('a dialog of a further window', () => {
  it.each(['alert', 'confirm', 'prompt'])(
    'is answered without a visible window, and the page does not count as hanging: %s',
    async name => {
      const { window } = await stage.show({ '/': '<p>app' })
      const script = `{ const opened = window.open('')
globalThis.answered = new Promise(resolve => setTimeout(() => resolve(String(opened.${name}('?'))))) }`
      await window.call(script, bounds)
      const answers: Readonly<Record<string, string>> = {
        alert: 'undefined',
        confirm: 'false',
        prompt: 'null',
      }
      expect(await window.call('answered', bounds)).toBe(answers[name])
      await window.ping(bounds)
    },
  )
})

describe.runIf(hasBrowser)('a navigation of the web app’s own window', () => {
  const links = (
    origin: string,
  ) => `<a id=link href="${origin}/article">x</a><form id=form action="${origin}/form">
<input name=q value=1></form><form id=post method=post action="${origin}/form"></form>`

  it('stays when a link leads elsewhere, which goes to the operating system', async () => {
    await using other = await serveSite({ '/article': '<p>article' })
    const { site, window, nextExternal } = await stage.show({ '/': links(other.origin), '/next': '<p>next' })
    const seen = await window.call('performance.timeOrigin', bounds)
    await window.call(clickScript('link'), bounds)
    expect(await nextExternal()).toBe(`${other.origin}/article`)
    expect(await window.call('performance.timeOrigin', bounds)).toBe(seen)
    expect(other.requests.has('/article')).toBe(false)
    const loaded = nextEvent(window, 'loaded')
    await window.navigate(`${site.origin}/next`)
    expect(await loaded).toEqual({ url: `${site.origin}/next` })
  })

  it.each([
    ['a form', `document.getElementById('form').submit()`],
    ['a posted form', `document.getElementById('post').submit()`],
    ['a redirect of the server', `location.href = '/redirect'`],
    ['a script', `location.href = document.getElementById('link').href`],
  ])('follows %s elsewhere, like a sign-in, and the links there', async (_name, script) => {
    const signIn = '<a id=link href="http://localhost:1/">forgotten</a>'
    await using other = await serveSite({ '/article': signIn, '/form': signIn })
    const redirect = { status: 302, headers: { location: `${other.origin}/form` }, body: '' }
    const { window } = await stage.show({ '/': links(other.origin), '/redirect': redirect })
    const loaded = nextEvent(window, 'loaded')
    await window.call(script, bounds).catch(() => undefined)
    expect((await loaded).url).toContain(other.origin)
  })
})
