import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { EngineWindow, OpenWindowOptions } from '../../src/engine.ts'

/** The engine that tests without a window use. */
export const headless = createChromiumEngine({ isHeadless: true, openExternal: () => undefined })

const probe = await headless.probe()

/**
 * Whether there is a browser to test with; the place where that is decided. Without one the tests are skipped, and say so;
 * under `CI=true` they run, and fail.
 */
export const hasBrowser = probe.isAvailable || process.env.CI === 'true'
if (!hasBrowser) console.warn(`Tests with a browser are skipped: ${probe.reason}`)

/** A window that takes its profile folder with it. */
export interface TestWindow extends AsyncDisposable {
  readonly window: EngineWindow
  readonly profileFolder: string
}

/** Opens a window with a new profile; what the test does not say has a neutral value. */
export async function openTestWindow(
  options: Partial<OpenWindowOptions> & Pick<OpenWindowOptions, 'url'>,
  engine = headless,
): Promise<TestWindow> {
  const profileFolder = options.profileFolder ?? (await mkdtemp(join(tmpdir(), 'window-test-')))
  const remove = () => rm(profileFolder, { recursive: true, force: true, maxRetries: 5 })
  try {
    const window = await engine.open({
      userAgentSuffix: '',
      pageScript: 'send => undefined',
      allowedOrigins: [new URL(options.url).origin],
      ...options,
      profileFolder,
    })
    return {
      window,
      profileFolder,
      async [Symbol.asyncDispose]() {
        await window.close()
        await remove()
      },
    }
  } catch (error) {
    if (!options.profileFolder) await remove()
    throw error
  }
}
