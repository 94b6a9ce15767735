import { answerRequest } from './answers/answer-request.ts'
import type { Receiver } from './receiver.ts'
import { type ReceiverOptions, resolveReceiverOptions } from './receiver-options.ts'
import { createReporter } from './report-result.ts'
import { completePending } from './steps/complete-pending.ts'
import { endLink } from './steps/end-link.ts'
import { openLink } from './steps/open-link.ts'
import { receivePost } from './steps/receive-post.ts'

/**
 * Makes the receiver (specification 4.1, 5.1; design: partner link).
 *
 * @throws {ParameterError} when an option is missing or of another type
 * @throws {ReceiverOptionError} when an address is not an absolute http(s) URL
 * @example
 * ```ts
 * import { createReceiver, renderBootPage } from '@service-link/jwt-payload/receiver'
 *
 * const receiver = createReceiver({
 *   url: 'https://sso.example/partner/payload',
 *   partners, effects, sessions,
 *   renderPage: (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce }),
 * })
 * app.all('/partner/payload', context => receiver.receive(context.req.raw))
 * app.all('/partner/payload/open/:handle', context => receiver.open(context.req.raw))
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const settings = resolveReceiverOptions(options)
  const reporter = createReporter(settings)
  return {
    receive: request =>
      answerRequest(request, 'post', reporter, context => receivePost(request, context, settings, reporter)),
    open: request =>
      answerRequest(request, 'open', reporter, context => openLink(request, context, settings, reporter)),
    completePending: (handle, accountId) => completePending(handle, accountId, settings, reporter),
    links: accountId => settings.effects.links(accountId),
    unlink: (linkId, accountId, requestId = crypto.randomUUID()) =>
      endLink(linkId, accountId, requestId, settings, reporter),
  }
}
