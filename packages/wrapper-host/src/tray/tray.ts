/** What the user can choose in the tray's menu. */
export type TrayAction = 'show' | 'signOut' | 'close'

/** The menu of the icon. */
export interface TrayMenu {
  /** Shown beside the icon's menu or above it, where the desktop does so. */
  readonly tooltip: string
  readonly items: readonly {
    readonly action: TrayAction
    readonly label: string
    readonly isEnabled: boolean
  }[]
}

/** What an icon tells. */
export interface TrayEvents {
  /** The user chose an item of the menu. */
  chosen: { readonly action: TrayAction }
  /** The icon is gone without having been asked to go; the last event. */
  lost: Record<string, never>
}

/** An icon in the desktop's notification area. */
export interface TrayIcon extends AsyncDisposable {
  /** Shows the menu as it is from now on. */
  update(menu: TrayMenu): void
  /** Adds a listener; the function returned removes it. */
  on<Name extends keyof TrayEvents>(name: Name, listener: (event: TrayEvents[Name]) => void): () => void
}

/** Shows an icon in the desktop's notification area (design: bridge and window). An integrator may bring an own one. */
export interface Tray {
  /** Name in messages. */
  readonly name: string
  /**
   * Shows the icon; resolves when its menu can be opened.
   *
   * @throws {TrayError} when there is no notification area, or nothing that could show an icon in it
   * @throws the signal's reason when it is aborted
   */
  open(menu: TrayMenu, signal?: AbortSignal): Promise<TrayIcon>
}
