import { join } from 'node:path'
import type { Brand, Settings } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { ReportEvent } from '../log/events.ts'
import { guardOwn } from '../log/log.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { WrapperTexts } from '../window/texts.ts'
import type { Tray, TrayAction, TrayMenu } from './tray.ts'

interface ShowTrayOptions {
  readonly hosted: HostedWindow
  /** `false`: none. Default: systray2 if an engine of this package shows a window. */
  readonly tray?: Tray | false | undefined
  readonly hasOwnEngine: boolean
  readonly brand: Brand
  readonly settings: Settings
  readonly folders: WrapperFolders
  readonly texts: WrapperTexts
  readonly report: ReportEvent
  readonly signal: AbortSignal
  close(): void
}

/**
 * Shows the icon with its menu until disposal. If that fails, the wrapper reports it and goes on. Never rejects; resolves to nothing
 * when there is no icon.
 */
export async function showTray(options: ShowTrayOptions): Promise<AsyncDisposable | undefined> {
  const { hosted, settings, report, signal } = options
  const tray = options.tray ?? (await defaultTray(options))
  if (!tray || signal.aborted) return undefined
  const menu = () => describeMenu(options)
  const actions: Readonly<Record<TrayAction, () => Promise<unknown>>> = {
    show: () => hosted.window.show(),
    signOut: () => hosted.signOut('tray'),
    close: async () => options.close(),
  }
  try {
    const icon = await tray.open(menu(), signal)
    const update = guardOwn(
      'tray',
      (changed: TrayMenu) => icon.update(changed),
      report,
      () => undefined,
    )
    const stops = [
      hosted.signIn.on('changed', () => update(menu())),
      // The window shows a failure of an action.
      icon.on('chosen', ({ action }) => void actions[action]().catch(() => undefined)),
      icon.on('lost', () => {
        for (const stop of stops) stop()
        hosted.window.setTrayShown(false)
        report({ type: 'tray-lost' })
      }),
    ]
    hosted.window.setTrayShown(settings.HideToTray)
    // Somebody may have signed in while the icon opened.
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

async function defaultTray({ hasOwnEngine, settings, folders }: ShowTrayOptions): Promise<Tray | undefined> {
  if (hasOwnEngine || settings.BrowserEngine === 'Headless') return undefined
  const { createSystray } = await import('./create-systray.ts')
  return createSystray({ folder: join(folders.userFolder, 'tray') })
}

function describeMenu({ brand, texts, hosted }: ShowTrayOptions): TrayMenu {
  return {
    tooltip: brand.displayName,
    items: [
      { action: 'show', label: texts.trayShow, isEnabled: true },
      { action: 'signOut', label: texts.traySignOut, isEnabled: hosted.signIn.isSignedIn },
      { action: 'close', label: texts.trayClose, isEnabled: true },
    ],
  }
}
