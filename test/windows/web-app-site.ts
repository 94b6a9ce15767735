import { text } from 'node:stream/consumers'
import { pageModules } from '../../internal/test-kit/src/page-modules.ts'
import { listen } from '../../internal/test-kit/src/serve.ts'

/** A web app that is always signed in and reports selected persons to its server. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  const host = connectHost({
    async selectPerson(person) {
      await fetch('/selected', { method: 'POST', body: JSON.stringify(person) })
      return { status: 'selected', userId: 17, customId: person.customId ?? '' }
    },
    async openWorkout() {},
  })
  host.signedIn()
</script>`

/** A person as the page received it. */
export type SelectedPerson = Readonly<Record<string, unknown>>

/** The web app of a wrapper. */
export type WebAppSite = Awaited<ReturnType<typeof openWebAppSite>>

/** Serves it on the host's loopback interface, which Wine shares. */
export async function openWebAppSite() {
  const modules = await pageModules()
  const selected: SelectedPerson[] = []
  let loadCount = 0
  const server = await listen(async (request, response) => {
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
    if (/^\/(\?|$)/.test(request.url ?? '')) loadCount++
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(webApp)
  })
  return {
    ...server,
    url: `${server.origin}/`,
    /** The persons that the page selected, in order. */
    selected: selected as readonly SelectedPerson[],
    /** Number of page loads. */
    loads: () => loadCount,
  }
}
