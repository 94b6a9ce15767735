import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { ReportEvent } from '../log/events.ts'
import { guardOwn } from '../log/reporter.ts'
import type { Tray, TrayAction, TrayMenu } from '../tray/tray.ts'
import type { WrapperTexts } from '../window/texts.ts'
import type { SignInState } from './sign-in-state.ts'

/** Options of {@link showTray}. */
export interface ShowTrayOptions {
  readonly tray: Tray
  readonly displayName: string
  readonly texts: WrapperTexts
  readonly signIn: SignInState
  readonly report: ReportEvent
  /** What the choice of an item does. */
  readonly actions: Readonly<Record<TrayAction, () => Promise<unknown>>>
  /** Gives the opening up. */
  readonly signal: AbortSignal
}

/**
 * Shows the icon with its menu for as long as the wrapper runs. One that cannot be had is reported, and the wrapper goes on
 * without.
 */
export async function showTray(options: ShowTrayOptions): Promise<AsyncDisposable | undefined> {
  const { tray, signIn, report, actions, signal } = options
  const menu = (): TrayMenu => describeMenu(options)
  try {
    const icon = await tray.open(menu(), signal)
    const set = (changed: TrayMenu) => icon.update(changed)
    const update = guardOwn('tray', set, report, () => undefined)
    const stops = [
      signIn.on('changed', () => update(menu())),
      // What goes wrong with a choice is seen in the window, or that there is none.
      icon.on('chosen', ({ action }) => void actions[action]().catch(() => undefined)),
      icon.on('lost', () => {
        for (const stop of stops) stop()
        report({ type: 'tray-lost' })
      }),
    ]
    // Somebody may have signed in while it opened.
    update(menu())
    return {
      async [Symbol.asyncDispose]() {
        for (const stop of stops) stop()
        await icon[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    if (signal.aborted) return undefined
    const reason = isServiceLinkError(error) ? error.message : 'it could not be opened.'
    report({ type: 'tray-absent', reason })
    return undefined
  }
}

function describeMenu({ displayName, texts, signIn }: ShowTrayOptions): TrayMenu {
  return {
    tooltip: displayName,
    items: [
      { action: 'show', label: texts.trayShow, isEnabled: true },
      { action: 'signOut', label: texts.traySignOut, isEnabled: signIn.isSignedIn },
      { action: 'close', label: texts.trayClose, isEnabled: true },
    ],
  }
}
