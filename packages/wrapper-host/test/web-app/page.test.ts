import { nextEvent } from '@service-link/test-kit/next-event'
import { pageModules } from '@service-link/test-kit/page-modules'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test, vi } from 'vitest'
import { Bridge } from '../../src/web-app/bridge.ts'
import { pageScript } from '../../src/web-app/page-script.ts'

const soon = { timeout: 60_000 }
const info = { version: '3.0.0.0', distributorName: '', launchParameters: {} }

const pageWith = (script: string) => `<!doctype html><meta charset=utf-8><script type="module">
import { connectHost } from '/page/index.ts'
${script}
</script>`

describe.runIf(hasBrowser)('the page module in a real browser', () => {
  test('connects anew after “back”, and names its person again', async () => {
    const script = `
addEventListener('pageshow', ({ persisted }) => fetch('/shown?' + persisted + '&at=' + performance.timeOrigin))
const host = connectHost({ queryExercises() { setTimeout(() => { location.href = '/away' }) } })
host.signedIn()
host.personSelected({ customId: 'a-1' })`
    const away = `<script>addEventListener('load', () => setTimeout(() => history.back()))</script>`
    const pages = { '/': pageWith(script), '/away': away, ...(await pageModules()) }
    await using site = await serveSite(pages)
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: pageScript() })
    using bridge = new Bridge(opened.window, { info })
    const inFocus = () =>
      vi.waitFor(() => expect(bridge.state.personInFocus).toEqual({ customId: 'a-1' }), soon)
    // A page left before its load is replaced in the history, and cannot be returned to.
    await nextEvent(opened.window, 'loaded')
    await inFocus()
    await site.nextRequest('/shown')
    const states: unknown[] = []
    bridge.on('stateChanged', state => states.push(state))
    const left = nextEvent(opened.window, 'unloading')
    await bridge.run({ name: 'queryexercises', args: { text: 'x' } }, 30_000).catch(() => undefined)
    await left
    await inFocus()
    expect(states[0]).toEqual({ isLoaded: false, isSignedIn: false })
    // Not from the browser's memory, which would bring back an ended session as well.
    const shown = () =>
      site.queries.filter(query => query.startsWith('/shown')).map(query => query.split('&')[0])
    await expect.poll(shown, soon).toEqual(['/shown?false', '/shown?false'])
  })

  test('does nothing in an ordinary browser', async () => {
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
    expect([site.queries.includes('/told?false,'), messages]).toEqual([true, []])
  })
})
