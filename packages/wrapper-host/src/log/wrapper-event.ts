/** How much an event matters; the setting `LogLevel` names the least that is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/**
 * Everything that is worth writing down of a wrapper's life: for the log as it is, for people as a sentence. This list is
 * complete, so that it can be seen that no event holds an address's path, a file's name, a value of an argument or anything of a
 * person.
 */
export type WrapperEvent =
  | {
      readonly type: 'started'
      readonly version: string
      readonly engine: string
      /** Missing where `pipe-taken` told that there is none. */
      readonly pipe?: string
    }
  | {
      readonly type: 'start-failed'
      readonly code: string
      /** What the code leaves open, in a word of its error: its fault, or the operating system's code. */
      readonly reason?: string
    }
  | { readonly type: 'closing' }
  | { readonly type: 'pipe-taken'; readonly pipe: string; readonly owner?: number }
  | { readonly type: 'hand-off-taken' }
  | { readonly type: 'pipe-key-unusable'; readonly reason: string }
  | { readonly type: 'crashed'; readonly kind: string }
  | { readonly type: 'setting-ignored'; readonly setting: string; readonly problem: string }
  | {
      readonly type: 'configuration-exposed'
      readonly of: 'file' | 'folder'
      /** A clause such as `belongs to another user`. */
      readonly problem: string
    }
  | { readonly type: 'settings-damaged' }
  | { readonly type: 'settings-carried-over'; readonly fromVersion: string }
  | { readonly type: 'settings-unsaved'; readonly code: string }
  | { readonly type: 'log-unwritable'; readonly reason: string }
  | { readonly type: 'events-dropped'; readonly of: string; readonly count: number }
  | { readonly type: 'launch-taken'; readonly launchId: string }
  | { readonly type: 'launch-refused'; readonly launchId: string; readonly code: string }
  | { readonly type: 'launch-done'; readonly launchId: string }
  | { readonly type: 'launch-failed'; readonly launchId: string; readonly code: string }
  | { readonly type: 'launch-leftover'; readonly launchId: string; readonly code: string }
  | { readonly type: 'web-app-connected'; readonly isSignedIn: boolean }
  | { readonly type: 'signed-in' }
  | { readonly type: 'signed-out'; readonly by: 'page' | 'tray' | 'integrator' }
  | { readonly type: 'sign-out-failed'; readonly reason: string }
  | { readonly type: 'page-unreachable'; readonly origin: string; readonly reason: string }
  | { readonly type: 'page-reachable'; readonly origin: string }
  | { readonly type: 'page-crashed' }
  | { readonly type: 'page-hung' }
  | { readonly type: 'page-restarted' }
  | { readonly type: 'engine-lost' }
  | { readonly type: 'engine-restarted' }
  | { readonly type: 'page-given-up' }
  | { readonly type: 'engine-given-up' }
  | { readonly type: 'sign-on-refused'; readonly status: number }
  | { readonly type: 'page-message-unclear'; readonly places: string }
  | { readonly type: 'page-protocol'; readonly spoken: number; readonly wanted: number }
  | { readonly type: 'tray-absent'; readonly reason: string }
  | { readonly type: 'tray-lost' }
  | { readonly type: 'notice-unshown'; readonly code: string }
  | {
      readonly type: 'own-function-failed'
      readonly of: 'onNotice' | 'openExternal' | 'texts' | 'tray'
      readonly kind: string
    }
  | { readonly type: 'installation-unnoted'; readonly reason: string }
  | { readonly type: 'update-available'; readonly version: string }
  | { readonly type: 'update-check-failed'; readonly reason: string }

/** Takes events as they come. */
export type ReportEvent = (event: WrapperEvent) => void
