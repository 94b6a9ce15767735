import { join } from 'node:path'
import type { Brand, Settings } from '@service-link/protocol-core'
import { createBridge } from './bridge/create-bridge.ts'
import { pageScript } from './bridge/page-script.ts'
import type { OpenedWindow } from './command/command-runner.ts'
import type { WrapperFolders } from './settings/wrapper-folders.ts'
import type { Engine, OpenWindowOptions } from './window/engine.ts'

/** What {@link openWindow} puts together. */
export interface OpenWrapperWindowOptions {
  readonly engine: Engine
  readonly brand: Brand
  readonly version: string
  readonly settings: Settings
  readonly appUrl: URL
  readonly folders: WrapperFolders
  /** Gives the opening up. */
  readonly signal: AbortSignal
}

/**
 * Opens the web app in a window and connects the bridge to it.
 *
 * @throws {EngineError} when the engine does not start
 */
export async function openWindow(options: OpenWrapperWindowOptions): Promise<OpenedWindow> {
  const { engine, brand, version, settings, appUrl, folders, signal } = options
  const placement = readPlacement(settings.WindowPlacement)
  const window = await engine.open({
    url: appUrl.href,
    profileFolder: join(folders.userFolder, 'browser'),
    userAgentSuffix: userAgentSuffix(brand, version, settings.DistributorName),
    pageScript: pageScript(),
    allowedOrigins: [appUrl.origin],
    isDebug: settings.Debug,
    signal,
    ...(placement ? { placement } : {}),
  })
  const bridge = createBridge(window, { info: { version, distributorName: settings.DistributorName } })
  followSignIn(bridge, settings.MinimizeOnExit, isMinimising => window.setMinimiseOnClose(isMinimising))
  return { window, bridge }
}

/** Closing the window minimises it only while somebody is signed in (specification 2.2, MinimizeOnExit). */
function followSignIn(
  bridge: OpenedWindow['bridge'],
  minimizeOnExit: boolean,
  setMinimiseOnClose: (isMinimising: boolean) => void,
): void {
  const follow = () => setMinimiseOnClose(minimizeOnExit && bridge.state.isSignedIn)
  follow()
  bridge.on('stateChanged', follow)
}

/** `Service.Client.WebWrapper/3.0.0.0 (Distributor)`, with what a header may carry. */
function userAgentSuffix(brand: Brand, version: string, distributorName: string): string {
  const distributor = distributorName.replaceAll(/[^\x20-\x7e]|[()]/g, '').trim()
  return `${brand.application}/${version}${distributor ? ` (${distributor})` : ''}`
}

function readPlacement(text: string): OpenWindowOptions['placement'] {
  const [left, top, width, height] = text.split(',').map(Number)
  if (left === undefined || top === undefined || width === undefined || height === undefined) return undefined
  return { left, top, width, height }
}
