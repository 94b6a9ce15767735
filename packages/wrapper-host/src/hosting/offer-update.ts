import type { ReportEvent } from '../log/events.ts'
import type { OpenExternal } from '../window/open-external.ts'
import type { WrapperTexts } from '../window/texts.ts'
import type { NoticeBoard } from './notice-board.ts'

/** Options of {@link offerUpdate}. */
export interface OfferUpdateOptions {
  /** The setting `UpdateUrl`. */
  readonly updateUrl: string
  /** The brand's `application`. */
  readonly application: string
  /** The version that runs. */
  readonly version: string
  readonly texts: WrapperTexts
  readonly notices: NoticeBoard
  readonly openExternal: OpenExternal
  readonly report: ReportEvent
  /** Gives the check up. */
  readonly signal: AbortSignal
}

/**
 * Looks for a newer version and, when there is one, says so above the page, with a link that the user's own browser opens
 * (specification 2.2, CheckForUpdates).
 */
export async function offerUpdate({
  texts,
  notices,
  openExternal,
  ...check
}: OfferUpdateOptions): Promise<void> {
  const { checkForUpdate } = await import('../update/check-for-update.ts')
  const update = await checkForUpdate(check)
  if (!update || check.signal.aborted) return
  notices.post({
    text: texts.updateAvailable(update.version),
    followLabel: texts.updateFollow,
    dismissLabel: texts.noticeDismiss,
    onFollow: () => openExternal(update.url),
  })
}
