import { type Browser, chromium } from 'playwright-core'
// @boundaries-ignore: the demo is no package to depend on
import { startDesktop } from '../../../apps/demo/src/check/desktop.ts'
// @boundaries-ignore: as above
import { drawsWindows, findBrowser } from '../../../apps/demo/src/demo/find-browser.ts'

/** A browser as users have it: with windows, on a screen. */
export interface WindowBrowser extends AsyncDisposable {
  readonly executable: string
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  launch(): Promise<Browser>
}

/** Finds the browser and starts a screen for it, or returns why it draws no windows here. */
export async function prepareBrowser(): Promise<WindowBrowser | { readonly reason: string }> {
  const executable = findBrowser()
  if (executable === undefined || !drawsWindows(executable))
    return { reason: 'There is no Chromium with windows. SERVICE_BROWSER names one.' }
  const desktop = await startDesktop()
  if (!desktop && process.platform === 'linux')
    return { reason: 'There is no screen: Xvfb, openbox or xdotool is not installed.' }
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const environment = { ...process.env, ...desktop?.environment }
  return {
    executable,
    args,
    environment,
    launch: () => chromium.launch({ executablePath: executable, args, env: environment, headless: false }),
    [Symbol.asyncDispose]: async () => desktop?.[Symbol.asyncDispose](),
  }
}
