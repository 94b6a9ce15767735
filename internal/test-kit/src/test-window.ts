import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import { createChromiumEngine } from '../../../packages/window-engine/src/chromium/create-chromium-engine.ts'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import type { EngineWindow, OpenWindowOptions } from '../../../packages/window-engine/src/engine.ts'

/** The engine of tests without a visible window. */
export const headless = createChromiumEngine({ isHeadless: true, openExternal: () => undefined })

const probe = await headless.probe()

/**
 * Whether a test browser is available. Without one the tests are skipped with a message; under `CI=true` they run and
 * fail.
 */
export const hasBrowser = probe.isAvailable || process.env.CI === 'true'
if (!hasBrowser) console.warn(`Tests with a browser are skipped: ${probe.reason}`)

/** A window that removes its profile folder on disposal. */
export interface TestWindow extends AsyncDisposable {
  readonly window: EngineWindow
  readonly profileFolder: string
}

/** Opens a window with a new profile; unset options are neutral. */
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
