import type { JsonValue } from '@service-link/protocol-core'
import type { WindowIdentity } from './platform/window-platform.ts'

export type { JsonValue }

/** Result of {@link Engine.probe}. */
export interface EngineProbe {
  readonly isAvailable: boolean
  /** Program and version, for people: `Chromium 156.0`. */
  readonly description?: string | undefined
  /** Why it is not available, as a sentence with the remedy. */
  readonly reason?: string | undefined
  /** Programs that are not taken, with the cause and the remedy. Absent: none. */
  readonly notice?: string | undefined
}

export interface ProbeOptions {
  /**
   * Whether to find {@link EngineProbe.description}, which may start a browser, and to judge by the policies that can be read. Default
   * true.
   */
  readonly isDescribed?: boolean | undefined
  /** Address of the web app: some policies depend on it. */
  readonly url?: string | undefined
}

/** State of a window; `closed` once it is gone. */
export type WindowState = 'normal' | 'minimised' | 'closed'

/** Options of {@link Engine.open}. */
export interface OpenWindowOptions {
  /** First address, http or https. */
  readonly url: string
  /**
   * Folder for the engine's files, of this user and wrapper only. Made when missing. A window knows nothing of a former one, and
   * leaves nothing there when it has ended: no history, no cookie, no cache.
   */
  readonly profileFolder: string
  /** Added to the engine's user agent, such as `Service.Client.WebWrapper/3.0.0.0 (Acme)`. */
  readonly userAgentSuffix: string
  /**
   * Languages of pages and workers, BCP 47, the preferred one first: `Accept-Language` and `navigator.languages` from the first
   * request on. Default: the engine's own.
   */
  readonly languages?: readonly string[] | undefined
  /**
   * Source of a function expression. The engine calls it in each top document of {@link allowedOrigins}, before the page's scripts.
   * Its one argument is `send(value)`, which causes the event `message`.
   */
  readonly pageScript: string
  /** Origins whose pages may talk to the host. Others do not get the page script. */
  readonly allowedOrigins: readonly string[]
  /** Where the window opens. Moved if it could not be seen there. Default: the engine chooses. */
  readonly placement?: WindowPlacement | undefined
  /** Zoom of the page; 1 is its own size. Default 1. */
  readonly zoom?: number | undefined
  /** How the first page, the wrapper's own pages and its notices look. Default: a neutral color, no picture. */
  readonly look?: WindowLook | undefined
  /** What the system shows, groups and pins the window as. Default: the browser's. */
  readonly identity?: WindowIdentity | undefined
  /** Fills the screen. Its user can neither close nor minimize it; its owner can close it. Default false. */
  readonly isKiosk?: boolean | undefined
  /** Opens developer tools, which are closed else. Default false. */
  readonly isDebug?: boolean | undefined
  /** Aborts the opening, not the open window. */
  readonly signal?: AbortSignal | undefined
}

/** Bounds of one call into the page. */
export interface CallOptions {
  /** Longest wait in milliseconds. Required: a page that hangs never answers. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Bounds of {@link EngineWindow.fetchText}. */
export interface FetchTextOptions extends CallOptions {
  /** The rest is neither read nor waited for. */
  readonly maxBytes: number
}

/** A server's answer to {@link EngineWindow.fetchText}. */
export interface FetchedText {
  readonly status: number
  /** Where a redirect leads, as the server wrote it. */
  readonly location?: string | undefined
  /** Beginning of the text; empty with another status than 200. */
  readonly text: string
}

/** Events of a window. */
export interface EngineEvents {
  /** A page of an allowed origin sent a value to the host through the page script's `send`. */
  message: { readonly value: unknown; readonly origin: string }
  /** A document finished loading. */
  loaded: { readonly url: string }
  /** The document goes away: navigation, reload or close. Calls into it will not be answered. */
  unloading: Record<string, never>
  /**
   * The address could not be reached, or its server says that the service is down (status 502, 503 or 504).
   * `reason` is a sentence for the support, which the wrapper shows and logs: without address and words of the page.
   */
  loadFailed: { readonly url: string; readonly reason: string }
  /** The page's process is gone; the window still stands. */
  pageCrashed: Record<string, never>
  /** The user asked to close the window, and the window was minimized instead; in a kiosk it stays. */
  closeVetoed: Record<string, never>
  /** Position, size or zoom have changed. */
  appearanceChanged: WindowAppearance
  /** The user pressed a button of the page that {@link EngineWindow.showOwnPage} shows. */
  ownPageAction: { readonly action: string }
  /** The user followed or dismissed the notice of {@link EngineWindow.setNotice}, which is gone then. */
  noticeAction: { readonly action: 'follow' | 'dismiss' }
  /** The window is gone; the last event. */
  closed: {
    /** Whether the engine's processes crashed or were killed. False if they ended in good order, such as at log-out. */
    readonly isLost: boolean
  }
}

/**
 * An open window with one page in it. Methods reject with {@link EngineError} `refused` when the engine refuses, `timeout` when it
 * does not answer, `gone` when it has ended, unless their own comment says otherwise.
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
   * @throws {EngineError} `navigation` when the address cannot be opened
   */
  navigate(url: string): Promise<void>
  /**
   * Goes to an address with a form, by POST. The form never gets into a page's reach or into an address. When the server
   * refuses (status 400 and above) the window keeps the page that it has.
   *
   * A service should answer with a redirect (303). A page that answers without one keeps the address that was posted to, and
   * every reload asks for that address by GET; {@link restartPage} takes another address.
   *
   * @returns the status of the server's first answer
   * @throws {EngineError} `navigation` when the address cannot be opened
   */
  post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }>
  reload(): Promise<void>
  /**
   * Waits until the thread of any page answers. A page does not hang while it waits for its user in a dialog, or for the server
   * of the next page.
   *
   * @throws {PageCallError} `timeout` when the page hangs; `crashed`, `closed`
   */
  ping(options: CallOptions): Promise<void>
  /**
   * Gives the page a new process and loads its address or another one, also when it hangs or has crashed. If the user has tried
   * to close the window of a page that hung, this closes it.
   *
   * @param options `url`: http or https address to load in place of the present one, such as after a post
   * @throws {EngineError} `navigation` for another kind of address: then the page stays
   */
  restartPage(options?: { readonly url?: string | undefined }): Promise<void>
  /**
   * Whether a server answers at an address, through the engine's own network with its proxies and certificates. False for status
   * 502, 503 and 504: a proxy whose service is down. Never rejects.
   */
  canReach(url: string, options: CallOptions): Promise<boolean>
  /**
   * Gets the beginning of a text through the engine's own network, without cookies of the session and beside the page. Follows no
   * redirect. Optional: without it the wrapper does not look for a newer version.
   *
   * @throws {EngineError} `navigation` when no server answers, `timeout`
   */
  readonly fetchText?: ((url: string, options: FetchTextOptions) => Promise<FetchedText>) | undefined
  /**
   * Shows a page of the wrapper's own instead of the web app, until the next navigation or {@link reload}. It causes no event
   * `loaded`, and the user cannot go back to it.
   */
  showOwnPage(page: OwnPage): Promise<void>
  /** Shows a notice above the page, also after reloads, or removes it. */
  setNotice(notice: WindowNotice | undefined): Promise<void>
  minimise(): Promise<void>
  /**
   * Takes the window off screen and task bar until {@link show} or {@link minimise}. A hidden window has the state `minimised`.
   * Optional: without it a window is minimized instead.
   */
  readonly hide?: (() => Promise<void>) | undefined
  /** Id of the process that owns the window: programs in front may let it bring the window there. Optional. */
  readonly browserPid?: number | undefined
  /** Restores the window if it is minimized or hidden, and brings it to the front. */
  show(): Promise<void>
  /** @throws {EngineError} `refused`, `timeout`; a window that is gone is `closed` */
  windowState(): Promise<WindowState>
  /**
   * Whether the window is minimized when its user closes it, from the page's first answer to a call on. A page of a foreign
   * origin, such as a sign-in's, may still be closed until its user has used it: the browser asks only then.
   */
  setMinimiseOnClose(isMinimising: boolean): void
  /** Cookies of the session, in memory only. */
  saveSession(): Promise<SessionSnapshot>
  /**
   * Restores a saved session, for each page that loads from then on.
   *
   * @throws {EngineError} `not-available` when it is damaged or another engine's
   */
  restoreSession(session: SessionSnapshot): Promise<void>
  /**
   * Closes the window and ends the engine's processes; resolves when they and all their files are gone.
   *
   * @throws {EngineError} `data-left` when a file could not be removed. All else has ended
   */
  close(): Promise<void>
  /** Adds a listener; the function returned removes it. */
  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void
}

/** Only the engine that made it can read it. Never write it to disk: it gives access to clinical data. */
export interface SessionSnapshot {
  readonly engine: string
  readonly data: JsonValue
}

/** Draws the window. An integrator may bring another implementation. */
export interface Engine {
  /** Name in messages and in the `BrowserEngine` setting. */
  readonly name: string
  /** Finds out whether it could open a window here. Opens none. */
  probe(signal?: AbortSignal, options?: ProbeOptions): Promise<EngineProbe>
  /**
   * Opens the window; resolves when its first navigation has begun.
   *
   * @throws {EngineError} when the engine is not available or does not start
   * @throws the signal's reason when it is aborted
   */
  open(options: OpenWindowOptions): Promise<EngineWindow>
}

/** Color and picture of the wrapper's own content. */
export interface WindowLook {
  /** Of a bar and of the first button, `#rrggbb`. Text on it is black or white, whichever is easier to read. */
  readonly color: string
  /** PNG or Windows icon of at most 256 KiB; a larger one is left out. */
  readonly picture?: Uint8Array | undefined
}

/** A page of the wrapper's own: text only, no markup, nothing from the network. */
export interface OwnPage {
  readonly title: string
  /** Paragraphs below the title. */
  readonly paragraphs: readonly string[]
  /** A press causes the event `ownPageAction`. Reloading the page by a key counts as a press of the first button. */
  readonly buttons: readonly { readonly action: string; readonly label: string }[]
  /** Language of the texts, BCP 47, for screen readers. Default `en`. */
  readonly language?: string | undefined
}

/** A line above the page that the user can follow or dismiss: text only, no markup. */
export interface WindowNotice {
  readonly text: string
  /** Label of the button that follows it; absent: no button. */
  readonly followLabel?: string | undefined
  /** Label of the button that dismisses it. */
  readonly dismissLabel: string
}

/** Where a window is, in pixels at a scale of 100 %: the browser converts them to those of the screen. */
export interface WindowPlacement {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Placement and zoom, which users expect to find again. */
export interface WindowAppearance {
  /** Position and size in the normal state. */
  readonly placement: WindowPlacement
  /** Zoom of the page; 1 is its own size. */
  readonly zoom: number
}
