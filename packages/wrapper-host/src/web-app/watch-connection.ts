import type { EngineWindow } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { Bridge } from './bridge.ts'

interface ConnectionWatchOptions {
  readonly bridge: Pick<Bridge, 'state'>
  /** Origin of the web app. Pages of other origins, such as a sign-in's, need no connection. */
  readonly origin: string
  /** Longest time from the end of a load to the connection, in milliseconds. */
  readonly timeoutMs: number
  readonly report: ReportEvent
}

/** Reports once that a page of the web app has loaded and does not connect: every command fails at its time limit then. */
export class ConnectionWatch implements Disposable {
  readonly #stops: readonly (() => void)[]
  #timer: NodeJS.Timeout | undefined

  constructor(window: EngineWindow, { bridge, origin, timeoutMs, report }: ConnectionWatchOptions) {
    const tell = () => {
      if (bridge.state.isLoaded) return
      report({ type: 'web-app-unconnected', origin })
      this[Symbol.dispose]()
    }
    const forget = () => clearTimeout(this.#timer)
    this.#stops = [
      window.on('loaded', ({ url }) => {
        forget()
        if (URL.parse(url)?.origin === origin) this.#timer = setTimeout(tell, timeoutMs).unref()
      }),
      ...(['unloading', 'pageCrashed', 'loadFailed', 'closed'] as const).map(name => window.on(name, forget)),
    ]
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }
}
