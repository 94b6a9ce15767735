import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pageModules } from '../../internal/test-kit/src/page-modules.ts'

/** A web app that is always signed in and reports selected persons to its server. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  const host = connectHost({
    async selectPerson(person) {
      await fetch('/selected', { method: 'POST', body: JSON.stringify(person) })
      return { status: 'selected', userId: 17, customId: person.customId ?? '' }
    },
  })
  host.signedIn()
</script>`

/** A person as the page received it. */
export type SelectedPerson = Readonly<Record<string, unknown>>

/** The web app of a wrapper. */
export interface WebAppSite extends AsyncDisposable {
  readonly url: string
  /** The persons that the page selected, in order. */
  readonly selected: readonly SelectedPerson[]
  /** Number of page loads. */
  loads(): number
}

/** Serves it on the host's loopback interface, which Wine shares. */
export async function openWebAppSite(): Promise<WebAppSite> {
  const modules = await pageModules()
  const selected: SelectedPerson[] = []
  let loadCount = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      // The page was killed during a report.
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
