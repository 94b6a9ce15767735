import type { EngineWindow } from '@service-link/window-engine'
import type { Bridge } from '../bridge/bridge.ts'
import type { ReturnAddress } from './return-address.ts'

/** Options of {@link watchConnection}. */
export interface WatchConnectionOptions {
  readonly window: EngineWindow
  readonly bridge: Bridge
  readonly returnAddress: ReturnAddress
  /** How long a document may take to connect once it has loaded, in milliseconds. Default 30,000. */
  readonly connectMs?: number
}

/**
 * Leads back to the web app when its page, which had answered a posted form, was loaded again: the browser asks for its address by
 * GET then, and what comes is often an error page that nothing else would recover from. A document that connects is left
 * alone, and so is one at any other address: it may be a log-in that has no need of the host.
 */
export function watchConnection({
  window,
  bridge,
  returnAddress,
  connectMs = 30_000,
}: WatchConnectionOptions): Disposable {
  /** Where the document is; known once it has loaded. */
  let documentUrl: string | undefined
  let hasConnected = bridge.state.isLoaded
  /** Where the last document was that has connected, while those after it are at the same address. */
  let connectedUrl: string | undefined
  let waiting: NodeJS.Timeout | undefined
  const stops = [
    window.on('loaded', ({ url }) => {
      documentUrl = url
      if (hasConnected) connectedUrl = url
      else if (url !== connectedUrl) connectedUrl = undefined
      else if (returnAddress.isPosted(url)) waitToConnect()
    }),
    window.on('unloading', () => {
      clearTimeout(waiting)
      documentUrl = undefined
      hasConnected = false
    }),
    bridge.on('stateChanged', ({ isLoaded }) => {
      if (!isLoaded) return
      clearTimeout(waiting)
      hasConnected = true
      connectedUrl = documentUrl
    }),
  ]
  return {
    [Symbol.dispose]() {
      clearTimeout(waiting)
      for (const stop of stops) stop()
    },
  }

  function waitToConnect(): void {
    clearTimeout(waiting)
    waiting = setTimeout(() => window.navigate(returnAddress.current).catch(() => undefined), connectMs)
    waiting.unref()
  }
}
