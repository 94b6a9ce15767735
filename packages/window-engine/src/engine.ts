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
  /** Where the window opens; moved to a screen that is there when it would not be seen. The engine's choice when absent. */
  readonly placement?: WindowPlacement
  /** Zoom of the page; 1 is its own size. Default: as the engine has kept it, else 1. */
  readonly zoom?: number
  /** Opens developer tools, for those who look for faults. Else there are none. Default false. */
  readonly isDebug?: boolean
  /**
   * Forgets what pages have left in the profile, as {@link EngineWindow.clearSession} does, before the first address is asked for:
   * a sign-out was under way when the window before was lost. Default false.
   */
  readonly isSessionForgotten?: boolean
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
  /** The address could not be reached, or its server says that the service is down (status 502, 503 or 504). */
  loadFailed: { readonly url: string; readonly reason: string }
  /** The page's process is gone; the window still stands. */
  pageCrashed: Record<string, never>
  /** The user asked to close the window, and the window was minimised instead. */
  closeVetoed: Record<string, never>
  /** Position, size or zoom are others than they were. */
  appearanceChanged: WindowAppearance
  /** The user pressed a button of the page that {@link EngineWindow.showOwnPage} shows. */
  ownPageAction: { readonly action: string }
  /** The user followed the notice of {@link EngineWindow.setNotice}, or put it away; it is gone then. */
  noticeAction: { readonly action: 'follow' | 'dismiss' }
  /** The window is gone; the last event. */
  closed: {
    /** Whether nobody asked for it: the engine's processes crashed or were killed. An end in good order, with the session, is none. */
    readonly isLost: boolean
  }
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
  /**
   * Goes to an address with a form, by POST. The form never gets into a page's reach or into an address. When the server
   * refuses (status 400 and above) the window keeps the page that it has.
   *
   * A page that answers by itself, without a redirect, keeps the address that was posted to, and the engine does not know that
   * it was: whoever loads it again, be it {@link reload}, the page or its user, asks for that address by GET. A service does
   * well to answer with a redirect (303); {@link restartPage} takes another address.
   *
   * @returns the status of the server's first answer
   * @throws {EngineError} `navigation` when the address cannot be opened; `refused`, `timeout`, `gone`
   */
  post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }>
  /** @throws {EngineError} `refused`, `timeout`, `gone` */
  reload(): Promise<void>
  /**
   * Waits until the page's thread answers, whatever page it is. A page that waits for its user in a dialog, its own or one
   * of a window that it has opened, or has been let go and waits for the server of the next, does not hang.
   *
   * @throws {PageCallError} `timeout` when the page hangs; `crashed`, `closed`
   */
  ping(options: CallOptions): Promise<void>
  /**
   * Gives the page a new process and loads its address again, or another, also when it hangs or has crashed. A window whose user
   * has closed it in vain, because its page hung, is closed by that.
   *
   * @param options `url`: loaded in place of the address that is shown, http or https; for a page that was posted to, whose
   *   own address cannot be asked for again
   * @throws {EngineError} `navigation` for another kind of address, and nothing is done; `refused`, `timeout`, `gone`
   */
  restartPage(options?: { readonly url?: string }): Promise<void>
  /**
   * Whether a server answers at an address, by the engine's own network: proxies and certificates count. An answer with status
   * 502, 503 or 504, of a proxy whose service is down, is none. Never rejects.
   */
  canReach(url: string, options: CallOptions): Promise<boolean>
  /**
   * Shows a page of the wrapper's own in place of the web app, until the next navigation or {@link reload}. It is not told as
   * `loaded` and is none to go back to: the history begins anew with the next page.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  showOwnPage(page: OwnPage): Promise<void>
  /**
   * Shows a notice above whatever page there is, also after reloads, or takes it away.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  setNotice(notice: WindowNotice | undefined): Promise<void>
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
  /**
   * Whether closing by the user minimises instead, from a page's first answer to a call on; may change at any time. A page of
   * another origin than the allowed ones, such as a sign-in's, may be closed all the same until its user has used it: a browser
   * asks no page before.
   */
  setMinimiseOnClose(isMinimising: boolean): void
  /**
   * Cookies of the session, in memory only.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  saveSession(): Promise<SessionSnapshot>
  /**
   * Gives back what was saved: each page that loads from then on has it.
   *
   * @throws {EngineError} `not-available` when it is damaged or another engine's; `refused`, `timeout`, `gone`
   */
  restoreSession(session: SessionSnapshot): Promise<void>
  /**
   * Forgets all that pages have left: cookies, storage, caches, and the pages to go back to: the history begins anew with the next
   * document. Whoever was signed in is so no more, once the page that is shown, which stays, is loaded again.
   *
   * @throws {EngineError} `refused`, `timeout`, `gone`
   */
  clearSession(): Promise<void>
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

/** A page of the wrapper's own, drawn by the engine: text only, no markup, nothing from the network. */
export interface OwnPage {
  readonly title: string
  /** Paragraphs below the title. */
  readonly paragraphs: readonly string[]
  /** The press of one is the event `ownPageAction` with its action; reloading the page by a key is the press of the first. */
  readonly buttons: readonly { readonly action: string; readonly label: string }[]
  /** Language of the texts, BCP 47, for those who have them read out. Default `en`. */
  readonly language?: string
}

/** A line above the page that the user can follow or put away: text only, no markup. */
export interface WindowNotice {
  readonly text: string
  /** What is pressed to follow it; absent: there is nothing to follow. */
  readonly followLabel?: string
  /** What is pressed to put it away, for those who see it and those who have it read out. */
  readonly dismissLabel: string
}

/** Where a window is, in screen pixels. */
export interface WindowPlacement {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** What of a window its user chose and expects to find again. */
export interface WindowAppearance {
  /** Position and size while it is neither minimised nor as large as the screen. */
  readonly placement: WindowPlacement
  /** Zoom of the page; 1 is its own size. */
  readonly zoom: number
}
