/** A value that JSON can carry; all that host and page ever exchange. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** What an engine found out about itself without opening a window. */
export interface EngineProbe {
  readonly isAvailable: boolean
  /** What draws, and its version, for people: `Chromium 156.0`. */
  readonly description?: string
  /** Why it is not available, as a sentence that says what to do. */
  readonly reason?: string
}

/** How {@link Engine.probe} looks. */
export interface ProbeOptions {
  /** Whether to ask for {@link EngineProbe.description}, for which a browser may have to be started. Default true. */
  readonly isDescribed?: boolean
}

/** How a window stands: `closed` once it is gone. */
export type WindowState = 'normal' | 'minimised' | 'closed'

/** What a window needs to be opened. */
export interface OpenWindowOptions {
  /** First address, http or https. */
  readonly url: string
  /** Folder of this user and wrapper only, for the engine's own files; made when missing. */
  readonly profileFolder: string
  /** Added to the engine's own user agent, such as `Service.Client.WebWrapper/3.0.0.0 (Acme)`. */
  readonly userAgentSuffix: string
  /**
   * Source of a function expression. In every document of {@link allowedOrigins} that is the window's top frame, before the
   * page's own scripts, it is called with one argument: `send(value)`, which becomes the event `message`. See `bridge/`.
   */
  readonly pageScript: string
  /** Origins whose pages may talk to the host; others get neither the script nor a listener. */
  readonly allowedOrigins: readonly string[]
  /** Left, top, width, height in screen pixels; the engine's choice when absent. */
  readonly placement?: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  /** Opens developer tools for those who look for faults. Default false. */
  readonly isDebug?: boolean
  /** Aborts the opening, not the open window. */
  readonly signal?: AbortSignal
}

/** Bounds of one call into the page. */
export interface CallOptions {
  /** Longest wait in milliseconds. A page that hangs or has crashed never answers, so there is always one. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** What an engine tells of its window. */
export interface EngineEvents {
  /** A page of an allowed origin sent a value to the host through the page script's `send`. */
  message: { readonly value: unknown; readonly origin: string }
  /** A document finished loading. */
  loaded: { readonly url: string }
  /** The document goes away: navigation, reload or close. Calls into it will not be answered. */
  unloading: Record<string, never>
  /** The address could not be reached. */
  loadFailed: { readonly url: string; readonly reason: string }
  /** The page's process is gone; the window still stands. */
  pageCrashed: Record<string, never>
  /** The user asked to close the window, and the window was minimised instead. */
  closeVetoed: Record<string, never>
  /** The window is gone, whoever closed it; the last event. */
  closed: Record<string, never>
}

/**
 * An open window with one page in it. What cannot be done rejects with {@link EngineError}: `refused` when the engine refuses,
 * `timeout` when it does not answer, `gone` when it has ended.
 */
export interface EngineWindow extends AsyncDisposable {
  /**
   * Calls the function that the page script left as `globalThis.__wrapperHost.receive(value)` and waits for the promise it
   * returns. The value travels as JSON, never as script text.
   *
   * @throws {PageCallError} when the page has no such function, rejects, navigates away, crashes or takes too long
   */
  call(value: JsonValue, options: CallOptions): Promise<unknown>
  /**
   * Goes to an address; resolves when the navigation has begun.
   *
   * @throws {EngineError} `navigation` when the address cannot be opened; `refused`, `timeout`, `gone`
   */
  navigate(url: string): Promise<void>
  /** @throws {EngineError} `refused`, `timeout`, `gone` */
  reload(): Promise<void>
  /** @throws {EngineError} `refused`, `timeout`, `gone` */
  minimise(): Promise<void>
  /**
   * Restores the window if it is minimised and brings it to the front.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  show(): Promise<void>
  /** @throws {EngineError} `refused`, `timeout`; a window that is gone is `closed` */
  windowState(): Promise<WindowState>
  /** Whether closing by the user minimises instead; may change at any time. */
  setMinimiseOnClose(isMinimising: boolean): void
  /**
   * Cookies of the session, in memory only.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  saveSession(): Promise<SessionSnapshot>
  /** @throws {EngineError} `not-available` when it is damaged or another engine's; `refused`, `timeout`, `gone` */
  restoreSession(session: SessionSnapshot): Promise<void>
  /** Closes the window and ends the engine's processes; resolves when they are gone. */
  close(): Promise<void>
  /** Adds a listener; the function returned removes it. */
  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void
}

/** Opaque to everyone but the engine that made it. Never written to disk: it is a way into clinical data. */
export interface SessionSnapshot {
  readonly engine: string
  readonly data: JsonValue
}

/** What draws the window (design: bridge and window). An integrator may bring an own one. */
export interface Engine {
  /** Name in messages and in the `BrowserEngine` setting. */
  readonly name: string
  /** Looks whether it could open a window here; opens none. */
  probe(signal?: AbortSignal, options?: ProbeOptions): Promise<EngineProbe>
  /**
   * Opens the window; resolves when its first navigation has begun.
   *
   * @throws {EngineError} when the engine is not available or does not start
   * @throws the signal's reason when it is aborted
   */
  open(options: OpenWindowOptions): Promise<EngineWindow>
}
