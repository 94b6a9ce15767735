import { drawsWindows, findBrowser } from '@service-link/test-kit/browser'
import { hasDisplay, startDisplay } from '@service-link/test-kit/display'
import { type Browser, chromium } from 'playwright-core'

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
  if (!hasDisplay) return { reason: 'There is no screen: Xvfb, openbox or xdotool is not installed.' }
  const { environment, ...display } = await startDisplay()
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return {
    ...display,
    executable,
    args,
    environment,
    launch: () => chromium.launch({ executablePath: executable, args, env: environment, headless: false }),
  }
}
