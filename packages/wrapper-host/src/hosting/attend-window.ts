import { join } from 'node:path'
import type { Brand, Settings } from '@service-link/protocol-core'
import type { ReportEvent } from '../log/events.ts'
import { kindOf } from '../log/failure-reason.ts'
import type { HostedWindow } from '../open-window.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { Tray } from '../tray/tray.ts'
import type { OpenExternal } from '../window/open-external.ts'
import type { WrapperTexts } from '../window/texts.ts'

/** Options of {@link attendWindow}. */
export interface AttendWindowOptions {
  readonly brand: Brand
  readonly version: string
  readonly settings: Settings
  readonly folders: WrapperFolders
  readonly texts: WrapperTexts
  readonly openExternal: OpenExternal
  readonly report: ReportEvent
  /** Aborts when the wrapper closes. */
  readonly signal: AbortSignal
  /** `false`: none. Default: the programs of systray2 where the wrapper's own engine shows a window. */
  readonly tray?: Tray | false
  /** Whether an integrator brought the engine. */
  readonly hasOwnEngine: boolean
  /** Begins to exit the wrapper. */
  close(): void
}

/** Begins what goes along with an open window and must not delay it: the icon in the tray, and the look for a newer version. */
export function attendWindow(hosted: HostedWindow, options: AttendWindowOptions): AsyncDisposable {
  const { settings, brand, version, texts, openExternal, report, signal } = options
  const icon = openIcon(hosted, options)
  const update =
    settings.CheckForUpdates && /^https?:/i.test(settings.UpdateUrl)
      ? import('./offer-update.ts')
          .then(({ offerUpdate }) =>
            offerUpdate({
              updateUrl: settings.UpdateUrl,
              application: brand.application,
              version,
              texts,
              notices: hosted.notices,
              openExternal,
              report,
              signal,
            }),
          )
          .catch(error => report({ type: 'update-check-failed', reason: kindOf(error) }))
      : undefined
  return {
    async [Symbol.asyncDispose]() {
      await update
      await (await icon)?.[Symbol.asyncDispose]()
    },
  }
}

async function openIcon(hosted: HostedWindow, options: AttendWindowOptions) {
  const tray = options.tray ?? (await defaultTray(options))
  if (!tray || options.signal.aborted) return undefined
  const { showTray } = await import('./show-tray.ts')
  return showTray({
    ...options,
    tray,
    displayName: options.brand.displayName,
    signIn: hosted.signIn,
    actions: {
      show: () => hosted.window.show(),
      signOut: () => hosted.signOut('tray'),
      close: async () => options.close(),
    },
  })
}

async function defaultTray({
  hasOwnEngine,
  settings,
  folders,
}: AttendWindowOptions): Promise<Tray | undefined> {
  if (hasOwnEngine || settings.BrowserEngine.toLowerCase() === 'headless') return undefined
  const { createSystray } = await import('../tray/create-systray.ts')
  return createSystray({ folder: join(folders.userFolder, 'tray') })
}
