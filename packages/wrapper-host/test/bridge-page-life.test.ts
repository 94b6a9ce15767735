import { describe, expect, it } from 'vitest'
import { createBridge } from '../src/bridge/create-bridge.ts'
import { pageScript } from '../src/bridge/page-script.ts'
import { info, nextState, openBridgedPage, pageWith } from './_window-bridged-page.ts'
import { hasBrowser, openTestWindow } from './_window-browser.ts'
import { nextEvent } from './_window-events.ts'
import { pageModules } from './_window-page-module.ts'
import { canListProcesses, killRenderers } from './_window-processes.ts'
import { serveSite } from './_window-site.ts'

const bounds = { timeoutMs: 30_000 }
const hang = { name: 'openworkout', args: { id: 1 } } as const

/** Signs in, and never ends a command, of which it tells the site. */
const hanging = `
window.host = connectHost({ openWorkout: () => { fetch('/began'); return new Promise(() => {}) } })
host.signedIn()`

describe.runIf(hasBrowser)('the bridge over the life of a page', () => {
  it('tells what the web app tells', async () => {
    const script = `
const host = connectHost({ queryExercises({ text }) {
  if (text === 'out') host.signedOut()
  else host.personSelected({ customId: text, firstname: 'Kari' })
} })
host.signedIn()`
    await using page = await openBridgedPage(script)
    const told: unknown[] = []
    for (const name of ['signedIn', 'signedOut', 'personSelected'] as const)
      page.bridge.on(name, event => told.push([name, event]))
    await page.bridge.ready(bounds)
    await page.bridge.run({ name: 'queryexercises', args: { text: 'a-1' } }, bounds)
    const person = { customId: 'a-1', firstname: 'Kari' }
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true, personInFocus: person })
    await page.bridge.run({ name: 'queryexercises', args: { text: 'out' } }, bounds)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: false })
    expect(told).toEqual([
      ['signedIn', {}],
      ['personSelected', { person }],
      ['signedOut', {}],
    ])
  })

  it('tells the page version and distributor', async () => {
    await using page = await openBridgedPage(`
const host = connectHost({})
const { version, distributorName } = await host.info
fetch('/told?' + [host.isHosted, version, distributorName])`)
    await page.site.nextRequest('/told')
    expect(page.site.queries).toContain('/told?true,3.0.0.0,Acme')
  })

  it('fails a command when the page reloads in the middle of it, and is ready again afterwards', async () => {
    await using page = await openBridgedPage(hanging)
    await page.bridge.ready(bounds)
    const rejection = expect(page.bridge.run(hang, { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'ERR_WEB_APP',
    })
    await page.site.nextRequest('/began')
    const gone = nextState(page.bridge, ({ isLoaded }) => !isLoaded)
    await page.opened.window.reload()
    await rejection
    expect(await gone).toEqual({ isLoaded: false, isSignedIn: false })
    await page.bridge.ready(bounds)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
  })

  it.runIf(canListProcesses)(
    'fails a command when the page crashes, and is ready again after a reload',
    async () => {
      await using page = await openBridgedPage(hanging)
      await page.bridge.ready(bounds)
      const rejection = expect(page.bridge.run(hang, { timeoutMs: 60_000 })).rejects.toMatchObject({
        code: 'ERR_WEB_APP',
      })
      await page.site.nextRequest('/began')
      await killRenderers(page.opened.profileFolder)
      await rejection
      await nextState(page.bridge, ({ isLoaded }) => !isLoaded)
      await expect(page.bridge.run(hang, bounds)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
      await page.opened.window.reload()
      await page.bridge.ready(bounds)
    },
  )

  it('forgets a page that was left, and knows it again when the user goes back to it', async () => {
    const script = `
addEventListener('pageshow', ({ persisted }) => fetch('/shown?' + persisted + '&at=' + performance.timeOrigin))
const host = connectHost({ queryExercises() { setTimeout(() => { location.href = '/away' }) } })
host.signedIn()
host.personSelected({ customId: 'a-1' })`
    const away = `<script>addEventListener('load', () => setTimeout(() => history.back()))</script>`
    await using page = await openBridgedPage(script, { '/away': away })
    // Left before it is loaded, a page is replaced in the history by the next, and there is nothing to go back to.
    const loaded = nextEvent(page.opened.window, 'loaded')
    const inFocus = nextState(page.bridge, ({ personInFocus }) => personInFocus?.customId === 'a-1')
    await page.bridge.ready(bounds)
    await inFocus
    await loaded
    await page.site.nextRequest('/shown')
    const states: unknown[] = []
    page.bridge.on('stateChanged', state => states.push(state))
    const again = nextEvent(page.opened.window, 'unloading').then(() => page.bridge.ready(bounds))
    await page.bridge.run({ name: 'queryexercises', args: { text: 'x' } }, bounds).catch(() => undefined)
    await again
    await nextState(page.bridge, ({ personInFocus }) => personInFocus?.customId === 'a-1')
    expect(states.at(0)).toEqual({ isLoaded: false, isSignedIn: false })
    // Not from the browser's memory, which would bring back a session that has ended as well.
    const shown = () =>
      page.site.queries.filter(query => query.startsWith('/shown')).map(query => query.split('&')[0])
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['/shown?false', '/shown?false'])
  })

  it('can be made when the page has connected long ago', async () => {
    await using site = await serveSite({ '/': pageWith(hanging), ...(await pageModules()) })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: pageScript() })
    await nextEvent(opened.window, 'message', ({ value }) => JSON.stringify(value).includes('signedIn'))
    await using bridge = createBridge(opened.window, { info })
    await bridge.ready(bounds)
    expect(bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
  })

  it('lets the page disconnect, and connect anew', async () => {
    const script = `
const first = connectHost({ queryExercises() {
  first.disconnect()
  setTimeout(() => connectHost({ queryWorkouts() {} }).signedIn())
} })
first.signedIn()
try { connectHost({}) } catch (error) { fetch('/refused?' + encodeURIComponent(error.message)) }`
    await using page = await openBridgedPage(script)
    await page.bridge.ready(bounds)
    await page.site.nextRequest('/refused')
    expect(page.site.queries.find(query => query.startsWith('/refused'))).toMatch(/connected/)
    const gone = nextState(page.bridge, ({ isLoaded }) => !isLoaded)
    await page.bridge.run({ name: 'queryexercises', args: { text: 'x' } }, bounds)
    await gone
    await page.bridge.ready(bounds)
    await page.bridge.run({ name: 'queryworkouts', args: { text: 'x' } }, bounds)
    const command = { name: 'queryexercises', args: { text: 'x' } } as const
    await expect(page.bridge.run(command, bounds)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
  })

  it('does nothing in an ordinary browser', async () => {
    const script = `
const host = connectHost({})
host.signedIn()
host.personSelected({ customId: 'x' })
host.signedOut()
host.disconnect()
fetch('/told?' + [host.isHosted, await host.info])`
    await using site = await serveSite({ '/': pageWith(script), ...(await pageModules()) })
    await using opened = await openTestWindow({ url: `${site.origin}/`, allowedOrigins: [] })
    const messages: unknown[] = []
    opened.window.on('message', message => messages.push(message))
    await site.nextRequest('/told')
    expect(site.queries).toContain('/told?false,')
    expect(messages).toEqual([])
  })

  it('ignores what is no message, and says so without repeating it', async () => {
    const script = `
const port = globalThis.__wrapperHost
for (const value of [1, 'Nordmann', { type: 'signedIn', more: 1 }, { type: 'personSelected', person: { name: 'Nordmann' } }])
  port.send(value)
port.send({ type: 'hello', protocol: 99, handlers: [], isSignedIn: true })
connectHost({}).signedIn()`
    await using page = await openBridgedPage(script)
    await page.bridge.ready(bounds)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
    expect(page.notices).toHaveLength(4)
    expect(page.notices.at(-1)).toContain('version 99')
    expect(page.notices.join()).not.toContain('Nordmann')
  })
})

describe.runIf(hasBrowser)('waiting for the bridge', () => {
  it('says that nobody is signed in when the page is there', async () => {
    await using page = await openBridgedPage('connectHost({})')
    await nextState(page.bridge, ({ isLoaded }) => isLoaded)
    await expect(page.bridge.ready({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
  })

  it('says that the page does not answer when it has not connected', async () => {
    await using page = await openBridgedPage('')
    await expect(page.bridge.ready({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'ERR_TIMEOUT' })
    await expect(page.bridge.run(hang, bounds)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
  })

  it('goes on when somebody signs in', async () => {
    await using page = await openBridgedPage(
      'const host = connectHost({ queryExercises: () => host.signedIn() })',
    )
    await nextState(page.bridge, ({ isLoaded }) => isLoaded)
    const ready = page.bridge.ready(bounds)
    await page.bridge.run({ name: 'queryexercises', args: { text: 'x' } }, bounds)
    await ready
  })

  it('ends when it is given up, when the bridge goes and when the window closes', async () => {
    await using page = await openBridgedPage('connectHost({})')
    const reason = new Error('given up')
    const controller = new AbortController()
    const { signal } = controller
    const givenUp = expect(page.bridge.ready({ timeoutMs: 60_000, signal })).rejects.toBe(reason)
    controller.abort(reason)
    await givenUp

    const other = createBridge(page.opened.window, { info })
    const disposed = expect(other.ready({ timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    await other[Symbol.asyncDispose]()
    await disposed
    await expect(other.ready(bounds)).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    await expect(other.run(hang, bounds)).rejects.toMatchObject({ code: 'ERR_CLOSING' })

    const closed = expect(page.bridge.ready({ timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'ERR_CLOSING',
    })
    await page.opened.window.close()
    await closed
    expect(page.bridge.state).toEqual({ isLoaded: false, isSignedIn: false })
  })
})
