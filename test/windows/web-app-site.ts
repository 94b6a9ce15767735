import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pageModules } from '../../packages/wrapper-host/test/support/page-module.ts'

/** A web app that is always signed in and tells its server whom it was told to select. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  const host = connectHost({
    async selectPerson(person) {
      await fetch('/selected', { method: 'POST', body: JSON.stringify(person) })
      return { status: 'selected', userid: 17, customid: person.customId ?? '' }
    },
  })
  host.signedIn()
</script>`

/** A person as the page was given it. */
export type SelectedPerson = Readonly<Record<string, unknown>>

/** A web app that a wrapper shows. */
export interface WebAppSite extends AsyncDisposable {
  readonly url: string
  /** Whom the page was told to select, in order. */
  readonly selected: readonly SelectedPerson[]
  /** How often the page was loaded. */
  loads(): number
}

/** Serves it on the host's loopback interface, which is that of Wine, too. */
export async function openWebAppSite(): Promise<WebAppSite> {
  const modules = await pageModules()
  const selected: SelectedPerson[] = []
  let loadCount = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      // A page that was killed while it told of one.
      const body = await text(request).catch(() => undefined)
      if (body === undefined) return response.destroy()
      selected.push(JSON.parse(body))
      return response.writeHead(204).end()
    }
    const module = modules[request.url ?? '']
    if (typeof module === 'object')
      return response.writeHead(200, { 'content-type': module.type }).end(module.body)
    if (request.url === '/') loadCount++
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(webApp)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    selected,
    loads: () => loadCount,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
