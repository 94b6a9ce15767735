import { dirname, join } from 'node:path'
import * as sea from 'node:sea'
import type { Settings } from '@service-link/protocol-core'
import { type Engine, type SelectEngineOptions, selectEngine } from '@service-link/window-engine'

/** Name of the asset of a packed executable that names its browser's program, relative to {@link packedBrowserFolder}. */
export const packedBrowserName = 'browser'

/** Folder beside a packed executable that holds its browser. */
export const packedBrowserFolder = 'browser'

/** The browser that was packed with this executable. Its name is in the executable: a folder that somebody adds does not count. */
function packedBrowser(): string | undefined {
  // Node without a list of assets makes no packed executable.
  if (!sea.isSea() || !sea.getAssetKeys().includes(packedBrowserName)) return undefined
  return join(dirname(process.execPath), packedBrowserFolder, sea.getAsset(packedBrowserName, 'utf8'))
}

/** The engine of the settings `BrowserEngine` and `Browser`. It prefers the browser that was packed with this executable. */
export function selectWindowEngine(
  { BrowserEngine, Browser }: Pick<Settings, 'BrowserEngine' | 'Browser'>,
  options: Pick<SelectEngineOptions, 'openExternal' | 'onForbidden' | 'isHeadless'> = {},
): Engine {
  return selectEngine(BrowserEngine, { ...options, browser: Browser, ownBrowser: packedBrowser() })
}
