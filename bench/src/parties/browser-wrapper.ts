import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { temporaryFolder } from '../measure/processes.ts'
import { serveWebApp } from './web-app.ts'
import { executable, wrapperFolders } from './wrapper-folders.ts'

/** The built executable with a real headless browser; ends with its scope. */
export interface BrowserWrapper extends AsyncDisposable {
  readonly pid: number
  /** Per-user folder, where clients find the wrapper. */
  readonly userFolder: string
}

/** Longest wait for the wrapper to start or to end, in milliseconds. */
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
