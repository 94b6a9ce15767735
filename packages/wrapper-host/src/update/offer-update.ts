import type { OpenExternal } from '@service-link/window-engine'
import { kindOf } from '../log/failure-reason.ts'
import type { HostedWindow } from '../open-window.ts'
import type { WrapperTexts } from '../window/texts.ts'
import type { CheckForUpdateOptions } from './check-for-update.ts'

/** Options of {@link offerUpdate}. */
export interface OfferUpdateOptions extends CheckForUpdateOptions {
  readonly hosted: HostedWindow
  readonly texts: WrapperTexts
  readonly openExternal: OpenExternal
}

/**
 * Looks for a newer version in the background. If there is one, a notice above the page has a link, which the user's browser opens
 * (specification 2.2, CheckForUpdates).
 *
 * @returns waits for the end of the check when it is disposed
 */
export function offerUpdate(options: OfferUpdateOptions): AsyncDisposable {
  const ended = offer(options).catch(error =>
    options.report({ type: 'update-check-failed', reason: kindOf(error) }),
  )
  return { [Symbol.asyncDispose]: () => ended }
}

async function offer({ hosted, texts, openExternal, ...check }: OfferUpdateOptions): Promise<void> {
  const { checkForUpdate } = await import('./check-for-update.ts')
  const update = await checkForUpdate(check)
  if (!update || check.signal.aborted) return
  hosted.notices.post({
    text: texts.updateAvailable(update.version),
    followLabel: texts.updateFollow,
    dismissLabel: texts.noticeDismiss,
    onFollow: () => openExternal(update.url),
  })
}
