import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { executable, temporaryFolder, wrapperFolders } from '../measure/processes.ts'

interface BrowserWrapper extends AsyncDisposable {
  readonly pid: number
  /** Per-user folder, where clients find the wrapper. */
  readonly userFolder: string
}

const timeoutMs = 30_000

/** Starts the executable, or returns why it cannot start: usually no browser. */
export async function startBrowserWrapper(): Promise<BrowserWrapper | { readonly reason: string }> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const webApp = resources.use(await serveWebApp())
  const env = await wrapperFolders(folder.path)
  await writeFile(join(env.SERVICE_WRAPPER_ROOT ?? '', defaultBrand.configFile), configuration(webApp.url))
  const child = spawn(process.execPath, [executable], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 10 * timeoutMs,
  })
  const exited = once(child, 'exit')
  resources.defer(async () => {
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    await exited
    clearTimeout(killer)
  })
  const [line] = await once(createInterface(child.stderr), 'line', { signal: AbortSignal.timeout(timeoutMs) })
  if (!String(line).startsWith('The wrapper runs.')) return { reason: String(line) }
  const owned = resources.move()
  const userFolder = env.SERVICE_WRAPPER_DATA ?? ''
  return { pid: child.pid ?? 0, userFolder, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function configuration(appUrl: string): string {
  return `<configuration>
  <applicationSettings><S><setting name="AppUrl"><value>${appUrl}</value></setting></S></applicationSettings>
  <userSettings><S><setting name="BrowserEngine"><value>Headless</value></setting></S></userSettings>
</configuration>`
}

export function listUsers(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    customId: `person-${index + 1}`,
    firstname: 'Ada',
    lastname: `Lovelace ${index + 1}`,
    dateOfBirth: '1980-04-03',
  }))
}

const built = new URL('../../../packages/wrapper-host/dist/', import.meta.url)

const page = `<!doctype html><title>Web app of a measurement</title><script type="module">
  import { connectHost } from '/dist/web-app/page/index.js'
  const users = ${JSON.stringify(listUsers(1))}
  connectHost({ getListOfUsers: async () => users }).signedIn()
</script>`

/** Serves a web app for the wrapper, with the page's side of the bridge from the built package. */
async function serveWebApp(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const [, file] = /^\/dist\/((?:[\w-]+\/)*[\w-]+\.js)$/.exec(request.url ?? '') ?? []
    if (file === undefined) return response.setHeader('content-type', 'text/html').end(page)
    try {
      const module = await readFile(new URL(file, built))
      return response.setHeader('content-type', 'text/javascript').end(module)
    } catch {
      return response.writeHead(404).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
