import { defineError } from '@service-link/protocol-core/errors'

/** Choice in the tray's menu. */
export type TrayAction = 'show' | 'signOut' | 'close'

/** The menu of the icon. */
export interface TrayMenu {
  /** Shown beside or above the menu, if the desktop does so. */
  readonly tooltip: string
  readonly items: readonly {
    readonly action: TrayAction
    readonly label: string
    readonly isEnabled: boolean
  }[]
}

/** Events of an icon. */
export interface TrayEvents {
  /** The user chose an item of the menu. */
  chosen: { readonly action: TrayAction }
  /** The user chose the last notice. */
  noticeChosen: Record<string, never>
  /** Whether the desktop shows the icon has changed. */
  shown: { readonly isShown: boolean }
  /** The user logs off, or the machine ends. The system waits a few seconds for this process. */
  sessionEnding: Record<string, never>
  /** The icon disappeared by itself. The last event. */
  lost: Record<string, never>
}

/** An icon in the desktop's notification area. */
export interface TrayIcon extends AsyncDisposable {
  /** Whether the desktop shows the icon now. Absent: as long as it is not `lost`. */
  readonly isShown?: boolean | undefined
  /** Changes labels and states of the items. */
  update(menu: TrayMenu): void
  /** Shows a notice of the system, if the system lets programs do so now. Optional. */
  readonly tell?: ((title: string, text: string) => void) | undefined
  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof TrayEvents>(name: Name, listener: (event: TrayEvents[Name]) => void): () => void
}

/** Shows an icon in the desktop's notification area. An integrator may bring another implementation. */
export interface Tray {
  /** Name in messages. */
  readonly name: string
  /**
   * Shows the icon. Resolves when its menu can be opened, or when the desktop does not show it in time but may do so later.
   *
   * @throws {TrayError} when it can never be shown
   * @throws the signal's reason
   */
  open(menu: TrayMenu, signal?: AbortSignal): Promise<TrayIcon>
}

/** Reason why there is no icon. */
export type TrayFault =
  /** The package that brings the program is not installed. */
  | 'no-package'
  /** The package has no program for this operating system and processor, or its file is missing or cannot be copied. */
  | 'no-program'
  /** There is no display. */
  | 'no-display'
  /** A library of the system is missing. */
  | 'no-library'
  /** There is no message bus of the desktop. */
  | 'no-bus'
  /** On Windows: this Node has no `node:ffi`. */
  | 'no-calls'
  /** The program cannot be started, or ended before it was ready. */
  | 'ended'
  /** The program was not ready in time. */
  | 'timeout'

/**
 * The icon cannot be shown. The wrapper runs without it.
 *
 * @remedy Install the missing part that the message names. The wrapper runs without the icon.
 * @retry when the missing part is there
 * @seenBy administrator
 */
export class TrayError extends defineError('ERR_TRAY', (fault: TrayFault, message: string) => ({
  message,
  fault,
})) {}
