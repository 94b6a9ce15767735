import type { ElectronDebugger } from './electron-api.ts'

/** Version of the DevTools protocol that is spoken. */
export const protocolVersion = '1.3'

/** What {@link stayAttached} does to the window. */
export interface StayAttachedOptions {
  /** Installs in the page what the window needs. */
  prepare(): Promise<void>
  isGone(): boolean
  /** Names the document that the window knows of. */
  document(): string | undefined
  reload(): void
  /** Ends the window, which nobody can drive any more: it counts as lost, and whoever keeps it opens another. */
  giveUp(): void
}

/**
 * Attaches the debugger again when Electron detaches it, as it does for developer tools and for other users of it in the
 * application. Where that fails, or it is detached once more before the page is prepared, the window is given up.
 */
export function stayAttached(port: ElectronDebugger, options: StayAttachedOptions): void {
  const { prepare, isGone, document, reload, giveUp } = options
  let isAttaching = false
  const attach = async () => {
    const before = document()
    port.attach(protocolVersion)
    await prepare()
    // What became of a document that came meanwhile was told to nobody.
    if (!isGone() && document() !== before) reload()
  }
  port.on('detach', () => {
    // It is also detached from a page that is closed.
    if (isGone()) return
    if (isAttaching) {
      giveUp()
      return
    }
    isAttaching = true
    attach()
      .catch(() => {
        if (!isGone()) giveUp()
      })
      .finally(() => {
        isAttaching = false
      })
  })
}
