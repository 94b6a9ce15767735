import { closedContentSecurityPolicy, securityHeaders } from './security-headers.ts'

/** Answers with a one-time URL for the partner to open by itself. */
export function answerLink(url: string, requestId: string): Response {
  const headers = {
    ...securityHeaders(requestId, closedContentSecurityPolicy()),
    'content-type': 'application/json',
  }
  return new Response(JSON.stringify({ url }), { status: 200, headers })
}
