import { join } from 'node:path'
import type { Brand, Settings } from '@service-link/protocol-core'
import { createBridge } from './bridge/create-bridge.ts'
import { pageScript } from './bridge/page-script.ts'
import type { OpenedWindow } from './command/command-runner.ts'
import type { WrapperFolders } from './settings/wrapper-folders.ts'
import type { Engine, EngineWindow, OpenWindowOptions } from './window/engine.ts'

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
  /** Told, in a sentence without personal data, of what goes wrong with the web app. */
  onNotice(sentence: string): void
}

/**
 * Opens the web app in a window and connects the bridge to it.
 *
 * @throws {EngineError} when the engine does not start
 */
export async function openWindow(options: OpenWrapperWindowOptions): Promise<OpenedWindow> {
  const { engine, brand, version, settings, appUrl, folders, signal, onNotice } = options
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
  reportFaults(window, onNotice)
  const info = { version, distributorName: settings.DistributorName }
  const bridge = createBridge(window, { info, onNotice })
  followSignIn(bridge, settings.MinimizeOnExit, isMinimising => window.setMinimiseOnClose(isMinimising))
  return { window, bridge }
}

/** Path and query may hold personal data or credentials: a notice names the origin alone. */
function reportFaults(window: EngineWindow, onNotice: (sentence: string) => void): void {
  window.on('loadFailed', ({ url, reason }) =>
    onNotice(`The page of ${URL.parse(url)?.origin ?? 'an unknown address'} did not load: ${reason}`),
  )
  window.on('pageCrashed', () => onNotice('The web app’s page has crashed.'))
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
