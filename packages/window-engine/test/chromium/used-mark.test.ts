import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, it } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

const bounds = { timeoutMs: 60_000 }
const pageScript = `send => { globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) } }`
const engine = createChromiumEngine({ isHeadless: true, openExternal: () => undefined })

/** Records on each turn of its load, and afterwards, whether the user counts as active. */
const watching = `<script>
const seen = new Set()
const look = () => { const { isActive, hasBeenActive } = navigator.userActivation; seen.add(isActive + ' ' + hasBeenActive) }
const timer = setInterval(look)
look()
addEventListener('DOMContentLoaded', look)
addEventListener('load', () => {
  look()
  setTimeout(async () => {
    clearInterval(timer)
    const popup = window.open('', '', 'width=300,height=300') ? 'opened' : 'blocked'
    const full = await document.documentElement.requestFullscreen().then(() => 'full screen', () => 'refused')
    fetch('/seen?' + encodeURIComponent([...seen].sort().join(', ') + '; ' + popup + '; ' + full))
  }, 1000)
})</script>`

describe.runIf(hasBrowser)('a document without a user’s action', () => {
  it('may ask before unloading when it is the web app’s, and do nothing else that needs a user', async () => {
    await using site = await serveSite({ '/': watching, '/seen': '' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript }, engine)
    await nextEvent(opened.window, 'loaded')
    await site.nextRequest('/seen')
    const [query = ''] = site.queries.filter(path => path.startsWith('/seen'))
    expect(decodeURIComponent(query)).toMatch(/^\/seen\?(false false, )?false true; blocked; refused$/)
  })

  it('does not count as active when it is another’s', async () => {
    await using other = await serveSite({ '/': watching, '/seen': '' }, 'localhost')
    await using site = await serveSite({ '/': '<p>app' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript }, engine)
    await nextEvent(opened.window, 'loaded')
    await opened.window.call(`setTimeout(() => { location.href = '${other.origin}/' }); 1`, bounds)
    await other.nextRequest('/seen')
    const [query = ''] = other.queries.filter(path => path.startsWith('/seen'))
    expect(decodeURIComponent(query)).toBe('/seen?false false; blocked; refused')
  })
})
