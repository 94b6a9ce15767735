import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pageModules } from '@service-link/test-kit/page-modules'

/** The page's behavior on a selection: it answers, never answers, or hangs. */
type Behavior = 'answer' | 'never' | 'hang'

/** The cookie is the session. The page asks at each load, and treats a selection as the service says. */
const webApp = `<!doctype html><title>Web app of a test</title><script type="module">
  import { connectHost } from '/page/index.ts'
  const host = connectHost({
    async selectPerson({ customId }) {
      const answer = await (await fetch('/select', { method: 'POST' })).text()
      if (answer === 'hang') for (;;);
      if (answer === 'never') await new Promise(() => {})
      return { status: 'selected', userId: 17, customId: customId ?? '' }
    },
    signOut: () => fetch('/sign-out', { method: 'POST' }),
  })
  if ((await (await fetch('/session')).text()) === 'signed in') host.signedIn()
</script>`

/** A service with a log-in that can stop and restart at the same address. */
export interface HostingSite extends AsyncDisposable {
  readonly origin: string
  /** Method and path of each request, and its session: `GET /session signed in`. */
  readonly requests: readonly string[]
  /** Results of the next selections; later ones are answered. */
  readonly behaviors: Behavior[]
  stop(): Promise<void>
  start(): Promise<void>
}

/** Serves it, at once or after a start. */
export async function hostingSite({ isStarted = true } = {}): Promise<HostingSite> {
  const modules = await pageModules()
  const requests: string[] = []
  const behaviors: Behavior[] = []

  function answer(request: IncomingMessage, response: ServerResponse): unknown {
    const { method = '', url = '/' } = request
    const isSignedIn = /\bsession=1\b/.test(request.headers.cookie ?? '')
    requests.push(`${method} ${url}${isSignedIn ? ' signed in' : ''}`)
    const module = modules[url]
    if (typeof module === 'object')
      return response.writeHead(200, { 'content-type': module.type }).end(module.body)
    if (url === '/session') return response.end(isSignedIn ? 'signed in' : 'nobody')
    if (url === '/select') return response.end(behaviors.shift() ?? 'answer')
    if (url === '/sign-out') return response.end()
    if (url === '/partner/payload')
      return response
        .writeHead(303, { location: '/', 'set-cookie': 'session=1; Path=/; HttpOnly; SameSite=Lax' })
        .end()
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(webApp)
  }

  let server = createServer(answer)
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
    )
  let port = unofferedPort()
  while (!(await listen(port).then(() => true, isInUse))) port = unofferedPort()
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  if (!isStarted) await stop()
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    behaviors,
    stop,
    start() {
      server = createServer(answer)
      return listen(port)
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** A port below the system's range, free while the service is stopped. */
const unofferedPort = () => 10_000 + randomInt(22_000)

function isInUse(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EADDRINUSE') throw error
  return false
}
