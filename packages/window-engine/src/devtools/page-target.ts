import type { JsonValue } from '../engine.ts'
import type { DevToolsCallOptions, DevToolsConnection } from './devtools-connection.ts'
import type { DevToolsCallName } from './devtools-protocol.ts'

/** One page of the browser, for whoever speaks to it. */
export class PageTarget {
  readonly connection: DevToolsConnection
  /** Names the page, and its main frame. */
  readonly targetId: string
  readonly sessionId: string

  constructor(connection: DevToolsConnection, targetId: string, sessionId: string) {
    this.connection = connection
    this.targetId = targetId
    this.sessionId = sessionId
  }

  /** Calls the page, as {@link DevToolsConnection.call}. */
  call<Name extends DevToolsCallName>(
    name: Name,
    params: { readonly [name: string]: JsonValue } = {},
    options: Omit<DevToolsCallOptions, 'sessionId'> = {},
  ) {
    return this.connection.call(name, params, { ...options, sessionId: this.sessionId })
  }

  /** Calls the page where a refusal matters to nobody: it may be gone before it is asked. */
  tell(name: DevToolsCallName, params: { readonly [name: string]: JsonValue } = {}): void {
    this.call(name, params).catch(() => undefined)
  }
}
