import type { Engine } from '../engine.ts'
import type { OpenExternal } from '../open-external.ts'
import type { ElectronParts } from './electron-api.ts'
import { openElectronWindow } from './open-electron-window.ts'

/** Options of {@link createElectronEngine}: parts of Electron, and what an integrator may choose. */
export interface ElectronEngineOptions extends ElectronParts {
  /** Name of the engine in messages. Default `Electron`. */
  readonly name?: string
  /** Longest wait for a window that takes calls, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number
  /** Opens links that lead out of the web app. Default: `shell.openExternal`. */
  readonly openExternal?: OpenExternal
}

/**
 * An engine for wrappers that are Electron applications: its window is a `BrowserWindow`, driven by `webContents.debugger` with
 * the same protocol as the engine that drives an installed browser. Use it in the main process; a window waits until the
 * application is ready, so that a launch can be handed over before.
 *
 * @example
 * ```ts
 * import { app, BrowserWindow, screen, session, shell } from 'electron'
 * import { createWrapper } from '@service-link/wrapper-host'
 * import { createElectronEngine } from '@service-link/window-engine/electron'
 *
 * const engine = createElectronEngine({ app, BrowserWindow, screen, session, shell })
 * const wrapper = createWrapper({ engine })
 * ```
 */
export function createElectronEngine(options: ElectronEngineOptions): Engine {
  const { name = 'Electron', startTimeoutMs = 30_000, shell } = options
  const openExternal =
    options.openExternal ??
    (url => {
      // Whether the system then opens it is not known.
      if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) shell.openExternal(url).catch(() => undefined)
    })
  return {
    name,
    async probe() {
      const { electron, chrome } = process.versions
      return { isAvailable: true, description: electron ? `Electron ${electron} (Chromium ${chrome})` : name }
    },
    open: windowOptions =>
      openElectronWindow({ ...windowOptions, engine: name, parts: options, startTimeoutMs, openExternal }),
  }
}
