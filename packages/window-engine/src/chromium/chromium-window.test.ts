import { describe, expect, it } from 'vitest'
import { PageTarget } from '../devtools/devtools-connection.ts'
import type { EngineWindow } from '../engine.ts'
import { windowPlatform } from '../platform/current-platform.ts'
import { BrowserProcess } from './browser-process.ts'
import { ChromiumWindow } from './chromium-window.ts'
import { extendUserAgent } from './extra-pages.ts'

/** A browser that refuses every call. */
const refusing = `
const { Socket } = require('node:net')
const output = new Socket({ fd: 4 })
let rest = ''
new Socket({ fd: 3 }).setEncoding('utf8').on('data', text => {
  const calls = (rest + text).split('\\0')
  rest = calls.pop()
  for (const call of calls)
    output.write(JSON.stringify({ id: JSON.parse(call).id, error: { code: -32000, message: 'https://site/?name=Kari' } }) + '\\0')
}).on('end', () => process.exit())
`

function openRefusing(): AsyncDisposable & { readonly window: EngineWindow } {
  const browser = new BrowserProcess({
    executable: process.execPath,
    profile: '/nonexistent',
    args: ['-e', refusing],
    platform: windowPlatform(),
    environment: process.env,
  })
  const window = new ChromiumWindow({
    engine: 'Headless',
    browser,
    page: new PageTarget(browser.connection, 'target', 'session'),
    url: 'https://site/?name=Kari',
    start: { address: 'https://site:1/', loaderId: undefined },
    bindingName: 'binding',
    allowedOrigins: [],
    platform: windowPlatform(),
    isHeadless: true,
    isDebug: false,
    userAgent: extendUserAgent('', '', windowPlatform()),
    openExternal: () => undefined,
    earlyEvents: [],
  })
  return {
    window,
    async [Symbol.asyncDispose]() {
      browser.kill()
      await browser.ended
    },
  }
}

describe('a window whose browser refuses', () => {
  it.each<[string, (window: EngineWindow) => Promise<unknown>]>([
    ['navigate', window => window.navigate('https://site/?name=Kari')],
    ['reload', window => window.reload()],
    ['post', window => window.post('https://site/?name=Kari', {}, { timeoutMs: 10_000 })],
    ['restartPage', window => window.restartPage()],
    ['showOwnPage', window => window.showOwnPage({ title: 'Kari', paragraphs: [], buttons: [] })],
    ['minimise', window => window.minimise()],
    ['show', window => window.show()],
    ['windowState', window => window.windowState()],
    ['saveSession', window => window.saveSession()],
    ['restoreSession', window => window.restoreSession({ engine: 'Headless', data: [] })],
  ])('rejects %s with an error that has a code, and without the browser’s words', async (_name, ask) => {
    await using opened = openRefusing()
    await expect(ask(opened.window)).rejects.toMatchObject({
      code: 'ERR_ENGINE',
      fault: 'refused',
      message: expect.not.stringContaining('Kari'),
    })
  })
})
