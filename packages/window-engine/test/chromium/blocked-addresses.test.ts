import { hasDisplay, startDisplay } from '@service-link/test-kit/display'
import { canManage, runManagedSource } from '@service-link/test-kit/managed-policies'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'

const engineModule = new URL('../../src/chromium/create-chromium-engine.ts', import.meta.url).href

/** Shows the web app, then a page of the wrapper until its button is pressed, then the web app again. */
const program = `
  import { createChromiumEngine } from ${JSON.stringify(engineModule)}
  const [profileFolder, url] = process.argv.slice(1)
  const facts = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: [new URL(url).origin] }
  const window = await createChromiumEngine().open({ url, profileFolder, identity: { id: 'Acme.Client', name: 'Acme' }, ...facts })
  const next = name => new Promise(resolve => { const stop = window.on(name, event => { stop(); resolve(event) }) })
  const seen = [await next('loaded')]
  const pressed = next('ownPageAction')
  await window.showOwnPage({ title: 'Unreachable', paragraphs: [], buttons: [{ action: 'retry', label: 'Again' }] })
  seen.push(await pressed)
  const back = next('loaded')
  await window.reload()
  seen.push(await back)
  await window.close()
  console.log(JSON.stringify(seen))
`

const polling = { timeout: 60_000, interval: 500 }

describe.skipIf(!canManage || !hasBrowser || !hasDisplay)('a browser that may show the web app alone', () => {
  test('shows the wrapper’s own pages, in a window with the name of the application', async () => {
    await using display = await startDisplay()
    await using site = await serveSite({ '/': '<title>Main</title><p>app' })
    const policies = { URLBlocklist: ['*'], URLAllowlist: [site.origin] }
    let end: { readonly output: string; readonly errors: string } | undefined
    const running = runManagedSource(policies, program, [`${site.origin}/`], display.environment).then(
      ended => {
        end = ended
      },
    )
    await expect.poll(() => end !== undefined || display.isInFront('Unreachable'), polling).toBe(true)
    const named = await display.xdotool('search', '--onlyvisible', '--class', '^Acme[.]Client$')
    // The page may show slightly before it accepts keys.
    const press = async () => {
      if (end === undefined) await display.xdotool('key', 'Return')
      return end !== undefined
    }
    await expect.poll(press, polling).toBe(true)
    await running
    expect(end?.errors).toBe('')
    const loaded = { url: `${site.origin}/` }
    expect(JSON.parse(end?.output ?? '')).toEqual([loaded, { action: 'retry' }, loaded])
    expect(named).toMatch(/^\d+$/)
  })
})
