import { join } from 'node:path'
import type { Brand, Settings } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { ReportEvent } from '../log/events.ts'
import { guardOwn } from '../log/log.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { WrapperTexts } from '../texts/wrapper-texts.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { OccurrenceLimit } from '../window/recovery-limits.ts'
import type { Tray, TrayAction, TrayIcon, TrayMenu } from './tray.ts'

interface ShowTrayOptions {
  readonly hosted: HostedWindow
  /** `false`: none. Default: ours if an engine of this package shows a window. */
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

/** The icon, as long as it can be shown. */
export interface ShownTray extends AsyncDisposable {
  /** Shows a notice of the system when the icon is there and can do so. */
  tell(notice: TrayNotice): void
}

interface TrayNotice {
  readonly title: string
  readonly text: string
  onChosen(): void
}

/** So many losses within ten minutes are no accident: the icon stays away. */
const maxLosses = { count: 3, withinMs: 600_000 }

/**
 * Shows the icon with its menu until disposal, also again after its loss. If that fails, the wrapper reports it and goes on. Nothing of it
 * throws or rejects.
 */
export function showTray(options: ShowTrayOptions): ShownTray {
  const { hosted, settings, report, signal } = options
  const losses = new OccurrenceLimit(maxLosses)
  let icon: TrayIcon | undefined
  let notice: TrayNotice | undefined
  const guarded = (call: () => void) => guardOwn('tray', call, report, () => undefined)
  const update = guarded(() => icon?.update(describeMenu(options)))
  const showNotice = guarded(() => notice && icon?.tell?.(notice.title, notice.text))
  const actions: Readonly<Record<TrayAction, () => Promise<unknown>>> = {
    show: () => hosted.window.show(),
    signOut: () => hosted.signOut('tray'),
    close: async () => options.close(),
  }

  async function open(): Promise<void> {
    try {
      const tray = options.tray ?? (await defaultTray(options))
      if (!tray || signal.aborted) return
      const opened = await tray.open(describeMenu(options), signal)
      icon = opened
      const stops = [
        // The window shows a failure of an action.
        opened.on('chosen', ({ action }) => void actions[action]().catch(() => undefined)),
        opened.on('noticeChosen', () => notice?.onChosen()),
        opened.on('shown', ({ isShown }) => {
          if (isShown) report({ type: 'tray-reopened' })
          followShown(isShown)
        }),
        opened.on('sessionEnding', () => options.close()),
        opened.on('lost', () => {
          for (const stop of stops) stop()
          reopen()
        }),
      ]
      // Somebody may have signed in while the icon opened.
      update()
      followShown(opened.isShown ?? true)
    } catch (error) {
      if (signal.aborted) return
      const reason = isServiceLinkError(error) ? error.message : 'it could not be opened.'
      report({ type: 'tray-absent', reason })
    }
  }

  /** A window may hide only while the icon brings it back. */
  function followShown(isShown: boolean): void {
    hosted.window.setTrayShown(settings.HideToTray && isShown)
    if (isShown) showNotice()
    else report({ type: 'tray-absent', reason: 'the desktop does not show it now.' })
  }

  function reopen(): void {
    icon = undefined
    if (signal.aborted) return
    hosted.window.setTrayShown(false)
    const isOver = losses.isReachedByOneMore()
    report({ type: isOver ? 'tray-lost' : 'tray-reopened' })
    if (!isOver) opening = open()
  }

  const stopUpdates = hosted.signIn.on('changed', update)
  let opening = open()
  return {
    tell(told) {
      notice = told
      showNotice()
    },
    async [Symbol.asyncDispose]() {
      stopUpdates()
      await opening
      await icon?.[Symbol.asyncDispose]()
    },
  }
}

async function defaultTray({ hasOwnEngine, settings, folders }: ShowTrayOptions): Promise<Tray | undefined> {
  if (hasOwnEngine || settings.BrowserEngine === 'Headless') return undefined
  const { createTray } = await import('./create-tray.ts')
  return createTray({ folder: join(folders.userFolder, 'tray') })
}

function describeMenu({ brand, texts, hosted, settings }: ShowTrayOptions): TrayMenu {
  return {
    tooltip: brand.displayName,
    items: [
      { action: 'show', label: texts.trayShow, isEnabled: true },
      { action: 'signOut', label: texts.traySignOut, isEnabled: hosted.signIn.isSignedIn },
      ...(settings.Kiosk ? [] : [{ action: 'close', label: texts.trayClose, isEnabled: true } as const]),
    ],
  }
}
