import { answerPage } from '../answers/answer-page.ts'
import { digestOf, isHandle } from '../handles.ts'
import { LinkGoneError, MethodNotAllowedError } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { Reporter } from '../report-result.ts'
import type { RequestContext } from '../request-context.ts'
import { beginVisit } from '../visit.ts'
import { isActivePartner } from './is-active-partner.ts'

/**
 * Answers the opening of a one-time URL.
 *
 * @throws {MethodNotAllowedError} unless it is a GET: what only looks at an address does not use it up
 * @throws {LinkGoneError} when it was opened before, has expired or never was one, or its partner is not active any more
 * @throws what a port throws
 */
export async function openLink(
  request: Request,
  context: RequestContext,
  settings: ReceiverSettings,
  { tell }: Reporter,
): Promise<Response> {
  if (request.method !== 'GET') throw new MethodNotAllowedError('GET')
  const handle = new URL(request.url).pathname.split('/').at(-1) ?? ''
  if (!isHandle(handle)) throw new LinkGoneError()
  const visit = await beginVisit(request, settings)
  const result = await settings.effects.resume({
    handleDigest: await digestOf(handle),
    isActive: isActivePartner(settings.partners),
    logIn: visit.logIn,
    now: settings.clock(),
    request,
  })
  if (result.kind === 'gone') throw new LinkGoneError()
  const { partner, employee, requestId } = result.delivery
  context.partner = partner
  context.employee = employee
  context.isTaken = true
  const { response, outcome } = await answerPage(result, visit, settings)
  tell({ requestId, event: context.event, result: outcome.kind, partnerId: partner.id })
  return response
}
