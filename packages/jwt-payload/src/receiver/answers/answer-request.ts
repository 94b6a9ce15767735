import { Refusal, UnavailableError } from '../../errors/refusals.ts'
import { NotNavigatedError } from '../receiver-errors.ts'
import type { Reporter } from '../report-result.ts'
import { createRequestContext, type RequestContext } from '../request-context.ts'
import { negotiate } from './negotiate.ts'
import { writeRefusal } from './refusal-response.ts'

/**
 * Runs one request, unless it is a page's script's: any page could then have its visitors' requests refused by the thousand,
 * or use up one-time URLs. Whatever it throws becomes a refusal; what is no refusal is the service's own fault, and told to nobody
 * but the listener. A client that goes away is told to nobody. Never rejects.
 */
export async function answerRequest(
  request: Request,
  event: RequestContext['event'],
  reporter: Reporter,
  work: (context: RequestContext) => Promise<Response>,
): Promise<Response> {
  const context = createRequestContext(event)
  try {
    if (isScripted(request.headers)) throw new NotNavigatedError()
    return await work(context)
  } catch (error) {
    const isRefusal = error instanceof Refusal
    const refusal = isRefusal ? error : unavailable(context)
    // Nobody is there any more, and nothing has failed: not worth an alarm, nor an entry.
    if (isRefusal || !isGivenUp(request, error))
      reporter.refused(context, refusal.code, isRefusal ? undefined : { cause: error })
    return writeRefusal(refusal, {
      requestId: context.requestId,
      asHtml: negotiate(request.headers.get('accept')).wantsHtmlProblem,
      frameAncestors: context.partner?.frameOrigins ?? [],
    })
  }
}

/**
 * Whether a page had a browser send it without the user going there. Some programs name a mode too, but no site; and a
 * browser's own request is of no site.
 */
function isScripted(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none'
  return site !== 'none' && headers.get('sec-fetch-mode') !== 'navigate'
}

/** Whether what ended the work is that its client has gone. */
function isGivenUp({ signal }: { readonly signal?: AbortSignal | null }, error: unknown): boolean {
  // Not every runtime gives its requests one.
  return signal?.aborted === true && error === signal.reason
}

/** Once a payload has taken effect it cannot be posted again, and need not be: a new one finds what this one has done. */
function unavailable({ isTaken }: RequestContext): UnavailableError {
  return new UnavailableError(
    isTaken
      ? 'The payload was taken, but the page that opens the service could not be made. Open the service from your application again: a new payload finds the same person, and nothing is entered twice.'
      : 'The service cannot take payloads at the moment. Send a new one in a while.',
  )
}
