import { nextEvent } from '@service-link/test-kit/next-event'
import { pageModules } from '@service-link/test-kit/page-modules'
import { canListProcesses, killRenderers } from '@service-link/test-kit/processes'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { afterAll, describe, expect, it } from 'vitest'
import { Bridge, pageScript } from '../../src/web-app/bridge.ts'
import { BridgedPages, info, nextState, pageWith, untilSignedIn } from '../support/bridged-page.ts'

const pages = new BridgedPages()
afterAll(() => pages[Symbol.asyncDispose]())

const timeoutMs = 30_000
const hang = { name: 'openworkout', args: { id: 1 } } as const

/** Signs in and never ends a command, which it reports to the site. */
const hanging = `
window.host = connectHost({ openWorkout: () => { fetch('/began'); return new Promise(() => {}) } })
host.signedIn()`

describe.runIf(hasBrowser)('the bridge over the life of a page', () => {
  it('passes on the web app’s reports', async () => {
    const script = `
const host = connectHost({ queryExercises({ text }) {
  if (text === 'out') host.signedOut()
  else host.personSelected({ customId: text, firstname: 'Kari' })
} })
host.signedIn()`
    await using page = await pages.open(script)
    const told: unknown[] = []
    page.bridge.on('signedOut', event => told.push(['signedOut', event]))
    await untilSignedIn(page.bridge)
    await page.bridge.run({ name: 'queryexercises', args: { text: 'a-1' } }, timeoutMs)
    const person = { customId: 'a-1', firstname: 'Kari' }
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true, personInFocus: person })
    await page.bridge.run({ name: 'queryexercises', args: { text: 'out' } }, timeoutMs)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: false })
    expect(told).toEqual([['signedOut', {}]])
  })

  it('sends the page version and distributor', async () => {
    await using page = await pages.open(`
const host = connectHost({})
const { version, distributorName, launchParameters } = await host.info
fetch('/told?' + [host.isHosted, version, distributorName, launchParameters.tab])`)
    await page.site.nextRequest('/told')
    expect(page.site.queries).toContain('/told?true,3.0.0.0,Acme,patients')
  })

  it('fails a command when the page reloads, and is ready again afterwards', async () => {
    await using page = await pages.open(hanging)
    await untilSignedIn(page.bridge)
    const rejection = expect(page.bridge.run(hang, 60_000)).rejects.toMatchObject({
      code: 'ERR_WEB_APP',
    })
    await page.site.nextRequest('/began')
    const gone = nextState(page.bridge, ({ isLoaded }) => !isLoaded)
    await page.opened.window.reload()
    await rejection
    expect(await gone).toEqual({ isLoaded: false, isSignedIn: false })
    await untilSignedIn(page.bridge)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
  })

  it.runIf(canListProcesses)(
    'fails a command when the page crashes, and is ready again after a reload',
    async () => {
      await using page = await pages.open(hanging)
      await untilSignedIn(page.bridge)
      const rejection = expect(page.bridge.run(hang, 60_000)).rejects.toMatchObject({
        code: 'ERR_WEB_APP',
      })
      await page.site.nextRequest('/began')
      await killRenderers(page.opened.profileFolder)
      await rejection
      await nextState(page.bridge, ({ isLoaded }) => !isLoaded)
      await expect(page.bridge.run(hang, timeoutMs)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
      await page.opened.window.reload()
      await untilSignedIn(page.bridge)
    },
  )

  it('forgets a page that was left, and knows it again after “back”', async () => {
    const script = `
addEventListener('pageshow', ({ persisted }) => fetch('/shown?' + persisted + '&at=' + performance.timeOrigin))
const host = connectHost({ queryExercises() { setTimeout(() => { location.href = '/away' }) } })
host.signedIn()
host.personSelected({ customId: 'a-1' })`
    const away = `<script>addEventListener('load', () => setTimeout(() => history.back()))</script>`
    await using page = await pages.open(script, { '/away': away })
    // A page left before its load is replaced in the history, and cannot be returned to.
    const loaded = nextEvent(page.opened.window, 'loaded')
    const inFocus = nextState(page.bridge, ({ personInFocus }) => personInFocus?.customId === 'a-1')
    await untilSignedIn(page.bridge)
    await inFocus
    await loaded
    await page.site.nextRequest('/shown')
    const states: unknown[] = []
    page.bridge.on('stateChanged', state => states.push(state))
    const again = nextEvent(page.opened.window, 'unloading').then(() => untilSignedIn(page.bridge))
    await page.bridge.run({ name: 'queryexercises', args: { text: 'x' } }, timeoutMs).catch(() => undefined)
    await again
    await nextState(page.bridge, ({ personInFocus }) => personInFocus?.customId === 'a-1')
    expect(states.at(0)).toEqual({ isLoaded: false, isSignedIn: false })
    // Not from the browser's memory, which would bring back an ended session as well.
    const shown = () =>
      page.site.queries.filter(query => query.startsWith('/shown')).map(query => query.split('&')[0])
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['/shown?false', '/shown?false'])
  })

  it('can be made after the page has connected', async () => {
    await using site = await serveSite({ '/': pageWith(hanging), ...(await pageModules()) })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: pageScript() })
    await nextEvent(opened.window, 'message', ({ value }) => JSON.stringify(value).includes('signedIn'))
    await using bridge = new Bridge(opened.window, { info })
    await untilSignedIn(bridge)
    expect(bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
  })

  it('lets the page connect once', async () => {
    const script = `
connectHost({}).signedIn()
try { connectHost({}) } catch (error) { fetch('/refused?' + encodeURIComponent(error.message)) }`
    await using page = await pages.open(script)
    await page.site.nextRequest('/refused')
    expect(page.site.queries.find(query => query.startsWith('/refused'))).toMatch(/connected/)
  })

  it('does nothing in an ordinary browser', async () => {
    const script = `
const host = connectHost({})
host.signedIn()
host.personSelected({ customId: 'x' })
host.signedOut()
fetch('/told?' + [host.isHosted, await host.info])`
    await using site = await serveSite({ '/': pageWith(script), ...(await pageModules()) })
    await using opened = await openTestWindow({ url: `${site.origin}/`, allowedOrigins: [] })
    const messages: unknown[] = []
    opened.window.on('message', message => messages.push(message))
    await site.nextRequest('/told')
    expect(site.queries).toContain('/told?false,')
    expect(messages).toEqual([])
  })

  it('ignores an invalid message, and reports it without its content', async () => {
    const script = `
const port = globalThis.__wrapperHost
for (const value of [1, 'Nordmann', { type: 'signedIn', more: 1 }, { type: 'personSelected', person: { name: 'Nordmann' } }])
  port.send(value)
port.send({ type: 'hello', protocol: 99, handlers: [], isSignedIn: true })
connectHost({}).signedIn()`
    await using page = await pages.open(script)
    await untilSignedIn(page.bridge)
    expect(page.bridge.state).toEqual({ isLoaded: true, isSignedIn: true })
    expect(page.notices).toHaveLength(4)
    expect(page.notices.at(-1)).toContain('version 99')
    expect(page.notices.join()).not.toContain('Nordmann')
  })
})

describe.runIf(hasBrowser)('a command', () => {
  it('fails at once while the page has not connected', async () => {
    await using page = await pages.open('')
    await expect(page.bridge.run(hang, timeoutMs)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
  })

  it('fails when the bridge closes, like later ones', async () => {
    await using page = await pages.open(
      'connectHost({ openWorkout: () => new Promise(() => {}) }).signedIn()',
    )
    const { window } = page.opened
    await untilSignedIn(page.bridge)
    const other = new Bridge(window, { info })
    // A document connects once. The next one connects to both bridges.
    await window.reload()
    await untilSignedIn(other)
    await nextState(page.bridge, ({ isLoaded }) => isLoaded)
    const disposed = expect(other.run(hang, timeoutMs)).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    other[Symbol.dispose]()
    await disposed
    await expect(other.run(hang, timeoutMs)).rejects.toMatchObject({ code: 'ERR_CLOSING' })

    const closed = expect(page.bridge.run(hang, timeoutMs)).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    await window.close()
    await closed
    expect(page.bridge.state).toEqual({ isLoaded: false, isSignedIn: false })
  })
})
