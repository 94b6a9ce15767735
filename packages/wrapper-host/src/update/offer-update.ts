import type { Brand, Settings } from '@service-link/protocol-core'
import type { OpenExternal } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { kindOf } from '../log/failure-reason.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { WrapperTexts } from '../window/texts.ts'

/** Options of {@link offerUpdate}. */
export interface OfferUpdateOptions {
  readonly hosted: HostedWindow
  readonly brand: Brand
  /** The running version. */
  readonly version: string
  readonly settings: Settings
  readonly texts: WrapperTexts
  readonly openExternal: OpenExternal
  readonly report: ReportEvent
  /** Gives up the check. */
  readonly signal: AbortSignal
}

/**
 * Looks for a newer version in the background, if the settings say so. If there is one, a notice above the page has a link, which
 * the user's browser opens (specification 2.2, CheckForUpdates).
 *
 * @returns waits for the end of the check when it is disposed
 */
export function offerUpdate(options: OfferUpdateOptions): AsyncDisposable {
  const ended = offer(options).catch(error =>
    options.report({ type: 'update-check-failed', reason: kindOf(error) }),
  )
  return { [Symbol.asyncDispose]: () => ended }
}

async function offer(options: OfferUpdateOptions): Promise<void> {
  const { hosted, brand, version, settings, texts, openExternal, report, signal } = options
  const { CheckForUpdates, UpdateUrl: updateUrl } = settings
  if (!CheckForUpdates || !/^https?:/i.test(updateUrl)) return
  const { checkForUpdate } = await import('./check-for-update.ts')
  const { application } = brand
  const update = await checkForUpdate({ updateUrl, application, version, report, signal })
  if (!update || signal.aborted) return
  hosted.notices.post({
    text: texts.updateAvailable(update.version),
    followLabel: texts.updateFollow,
    dismissLabel: texts.noticeDismiss,
    onFollow: () => openExternal(update.url),
  })
}
