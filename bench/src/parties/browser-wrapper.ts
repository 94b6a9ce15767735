import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { executable, startProgram, temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { serve } from '../measure/serve.ts'
import { listUsers } from './users.ts'

interface BrowserWrapper extends AsyncDisposable {
  readonly pid: number
  /** Per-user folder, where clients find the wrapper. */
  readonly userFolder: string
}

/** Starts the executable, or returns why it cannot start: usually no browser. */
export async function startBrowserWrapper(): Promise<BrowserWrapper | { readonly reason: string }> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const webApp = resources.use(await serveWebApp())
  const env = await wrapperFolders(folder.path)
  const file = join(env.SERVICE_WRAPPER_ROOT ?? '', defaultBrand.configFile)
  await writeFile(file, configuration(`http://127.0.0.1:${webApp.port}/`))
  const { pid, lines } = resources.use(startProgram([executable], env))
  for await (const line of lines) {
    if (!line.startsWith('The wrapper runs.')) return { reason: line }
    const owned = resources.move()
    const userFolder = env.SERVICE_WRAPPER_DATA ?? ''
    return { pid, userFolder, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  throw new Error('The wrapper said nothing.')
}

function configuration(appUrl: string): string {
  return `<configuration>
  <applicationSettings><S><setting name="AppUrl"><value>${appUrl}</value></setting></S></applicationSettings>
  <userSettings><S><setting name="BrowserEngine"><value>Headless</value></setting></S></userSettings>
</configuration>`
}

const built = new URL('../../../packages/wrapper-host/dist/', import.meta.url)

const page = `<!doctype html><title>Web app of a measurement</title><script type="module">
  import { connectHost } from '/dist/web-app/page/index.js'
  const users = ${JSON.stringify(listUsers(1))}
  connectHost({ getListOfUsers: async () => users }).signedIn()
</script>`

/** Serves a web app for the wrapper, with the page's side of the bridge from the built package. */
const serveWebApp = () =>
  serve(async (request, response) => {
    const [, file] = /^\/dist\/((?:[\w-]+\/)*[\w-]+\.js)$/.exec(request.url ?? '') ?? []
    if (file === undefined) return response.setHeader('content-type', 'text/html').end(page)
    try {
      const module = await readFile(new URL(file, built))
      return response.setHeader('content-type', 'text/javascript').end(module)
    } catch {
      return response.writeHead(404).end()
    }
  })
