import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { listen } from '@service-link/test-kit/serve'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import type { WindowBrowser } from '../measure/browser.ts'
import { executable, startProgram, wrapperFolders } from '../measure/processes.ts'
import { listUsers } from './users.ts'

interface BrowserWrapper extends AsyncDisposable {
  readonly pid: number
  /** Per-user folder, where clients find the wrapper. */
  readonly userFolder: string
  /** Address of its web app. {@link listInPage} asks it as the bridge does. */
  readonly url: string
}

/** Starts the executable with a window of this browser. */
export async function startBrowserWrapper(browser: WindowBrowser): Promise<BrowserWrapper> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const webApp = resources.use(await serveWebApp())
  const url = `http://127.0.0.1:${webApp.port}/`
  const env = await wrapperFolders(folder.path)
  await writeFile(join(env.SERVICE_WRAPPER_ROOT, defaultBrand.configFile), configuration(url))
  const own = { ...browser.environment, ...env, SERVICE_BROWSER: browser.executable }
  const { pid, lines } = resources.use(startProgram([executable], own))
  for await (const line of lines) {
    if (!line.startsWith('The wrapper runs.')) throw new Error(line)
    const owned = resources.move()
    const userFolder = env.SERVICE_WRAPPER_DATA
    return { pid, userFolder, url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  throw new Error('The wrapper said nothing.')
}

function configuration(appUrl: string): string {
  return `<configuration>
  <applicationSettings><S><setting name="AppUrl"><value>${appUrl}</value></setting></S></applicationSettings>
</configuration>`
}

const built = new URL('../../../packages/wrapper-host/dist/', import.meta.url)

const page = `<!doctype html><title>Web app of a measurement</title><script type="module">
  import { connectHost } from '/dist/web-app/page/index.js'
  const users = ${JSON.stringify(listUsers(1))}
  globalThis.getListOfUsers = async () => users
  connectHost({ getListOfUsers }).signedIn()
</script>`

/** Asks the page of the web app for its list, without the bridge. */
export const listInPage = 'globalThis.getListOfUsers?.()'

/** Serves a web app for the wrapper, with the page's side of the bridge from the built package. */
const serveWebApp = () =>
  listen(async (request, response) => {
    const [, file] = /^\/dist\/((?:[\w-]+\/)*[\w-]+\.js)$/.exec(request.url ?? '') ?? []
    if (file === undefined) return response.setHeader('content-type', 'text/html').end(page)
    try {
      const module = await readFile(new URL(file, built))
      return response.setHeader('content-type', 'text/javascript').end(module)
    } catch {
      return response.writeHead(404).end()
    }
  })
