// What host and page say to each other, as JSON values. Shared by both sides; types only, apart from the version.
import type { Person } from '@service-link/protocol-core'
import type { HandlerName, HostCallCode, HostCallIssue } from './handlers.ts'

/** Version of these messages. */
export const bridgeProtocol = 1

/** What the host tells the page of itself. */
export interface HostInfo {
  /** Version of the wrapper, four numbers. */
  readonly version: string
  /** Company that built the executable; empty when the setting `DistributorName` is. */
  readonly distributorName: string
}

/** From the host, through `receive`; the page's return value is the answer. */
export type HostMessage =
  | { readonly type: 'welcome'; readonly protocol: number; readonly info: HostInfo }
  /** Asks a page that is connected to say `hello` again. */
  | { readonly type: 'introduce' }
  | { readonly type: 'call'; readonly handler: string; readonly args: unknown }

/** Answer to a `call`. */
export type PageAnswer =
  | { readonly type: 'result'; readonly value?: unknown }
  | {
      readonly type: 'failure'
      readonly code: HostCallCode
      readonly message: string
      readonly issues?: readonly HostCallIssue[]
    }

/** From the page, through `send`. */
export type PageMessage =
  | {
      readonly type: 'hello'
      readonly protocol: number
      readonly handlers: readonly HandlerName[]
      readonly isSignedIn: boolean
      readonly person?: Person
    }
  | { readonly type: 'bye' }
  | { readonly type: 'signedIn' }
  | { readonly type: 'signedOut' }
  | { readonly type: 'personSelected'; readonly person: Person }

/** What the page script leaves in the page as `globalThis.__wrapperHost`. */
export interface HostPort {
  readonly protocol: number
  send(message: PageMessage): void
  /**
   * Has the host's messages come to a function; the function returned ends it.
   *
   * @throws {Error} when there is such a function already
   */
  connect(receive: (message: HostMessage) => unknown): () => void
}
