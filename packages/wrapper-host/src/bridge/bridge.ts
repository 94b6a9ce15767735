import type { Command, CommandName, CommandResult, Person } from '@service-link/protocol-core'

/** Commands that the web app carries out. */
export type PageCommandName = {
  [Name in CommandName]: typeof import('@service-link/protocol-core').commands[Name]['target'] extends 'page'
    ? Name
    : never
}[CommandName]

/** A command for the web app. */
export type PageCommand = Extract<Command, { name: PageCommandName }>

/** What is known of the web app at this moment. */
export interface BridgeState {
  /** The page has connected and takes calls. */
  readonly isLoaded: boolean
  readonly isSignedIn: boolean
  /** As the page has told it, like `personSelected` of {@link BridgeEvents}. */
  readonly personInFocus?: Person | undefined
}

/** What the web app tells without being asked. */
export interface BridgeEvents {
  signedIn: Record<string, never>
  signedOut: Record<string, never>
  /** Not what the page tells while it is at work for a user who has signed out: it may be their choice. */
  personSelected: { readonly person: Person }
  /** Any change of {@link BridgeState}. */
  stateChanged: BridgeState
}

/** Bounds of one wait. */
export interface BridgeWaitOptions {
  /** Longest wait in milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Host side of the specification's internal COM API: calls to the page and what the page tells. */
export interface Bridge extends AsyncDisposable {
  readonly state: BridgeState
  /**
   * Waits until the page is connected and somebody is signed in.
   *
   * @throws {NotSignedInError} when the page is there and nobody signs in within the time
   * @throws {CommandTimeoutError} when the page does not connect within the time
   * @throws {ClosingError} when the bridge is disposed meanwhile
   */
  ready(options: BridgeWaitOptions): Promise<void>
  /**
   * Has the page carry out one command. Does not wait for {@link ready}.
   *
   * @throws {CommandTimeoutError} when the page does not answer in time
   * @throws {NotFoundError} {@link NotSignedInError} {@link ArgsError} as the page answers
   * @throws {PageGoneError} when the page goes away or is not connected
   * @throws {WebAppError} when the page fails otherwise, or answers in another shape
   */
  run<Name extends PageCommandName>(
    command: Extract<PageCommand, { name: Name }>,
    options: BridgeWaitOptions,
  ): Promise<CommandResult<Name>>
  /**
   * Asks the page to sign its user out at the service.
   *
   * @returns whether it did; not when the page has no handler for it or its handler failed
   * @throws {CommandTimeoutError} {@link PageGoneError} {@link ClosingError} as {@link run}
   */
  signOut(options: BridgeWaitOptions): Promise<boolean>
  /** Adds a listener; the function returned removes it. */
  on<Name extends keyof BridgeEvents>(name: Name, listener: (event: BridgeEvents[Name]) => void): () => void
}
