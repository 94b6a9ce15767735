import { describe, expect, it } from 'vitest'
import { createBridge } from '../src/bridge/create-bridge.ts'
import { pageScript } from '../src/bridge/page-script.ts'
import { hasBrowser, openTestWindow } from './_window-browser.ts'
import { pageModules } from './_window-page-module.ts'
import { serveSite } from './_window-site.ts'

const app = `<!doctype html><script type="module">
import { connectHost, HostCallError } from '/page/index.ts'
const host = connectHost({
  async selectPerson(person) { host.personSelected(person); return { status: 'selected', userid: 17, customid: person.customId } },
  openWorkout({ id }) { if (id === 404) throw new HostCallError('ERR_NOT_FOUND', 'There is no such workout.') },
})
host.signedIn()
window.host = host
</script>`

const bounds = { timeoutMs: 10_000 }

describe.runIf(hasBrowser)('the bridge to a page', () => {
  it('has the page carry out a command', async () => {
    await using site = await serveSite({ '/': app, ...(await pageModules()) })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript: pageScript() })
    await using bridge = createBridge(opened.window, {
      info: { version: '3.0.0.0', distributorName: 'Acme' },
    })
    await bridge.ready(bounds)
    const person = { customId: 'a-1', firstname: 'Åse', lastname: 'Nordmann' }
    const reply = await bridge.run({ name: 'selectperson', args: person }, bounds)
    expect(reply).toEqual({ status: 'selected', userid: 17, customid: 'a-1' })
    expect(bridge.state).toEqual({ isLoaded: true, isSignedIn: true, personInFocus: person })
    await opened.window.minimise()
    expect(await opened.window.windowState()).toBe('minimised')
    await opened.window.show()
    expect(await opened.window.windowState()).toBe('normal')
    if (process.env.MEASURE) {
      const times: number[] = []
      for (let i = 0; i < 500; i++) {
        const start = performance.now()
        await bridge.run({ name: 'openworkout', args: { id: 1 } }, bounds)
        times.push(performance.now() - start)
      }
      times.sort((a, b) => a - b)
      console.log('median', times[250], 'p99', times[495])
    }
  })
})
