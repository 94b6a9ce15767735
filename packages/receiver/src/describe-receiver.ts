import { payloadAlgorithms } from '@service-link/jwt-payload'
import { maxSpanSeconds, payloadPolicies, toleranceSeconds } from '@service-link/jwt-payload/steps'
import { frameMessageVersion } from '@service-link/protocol-core/embedding'
import { docsSite } from '@service-link/protocol-core/errors'
import type { ReceiverFacts } from '@service-link/protocol-core/person'
import { refusalResponse } from './post/answer-refusal.ts'
import { logInTimeoutSeconds, openTimeoutSeconds } from './post/apply-delivery.ts'
import { maxFormBytes } from './post/receive-post.ts'
import { MethodNotAllowedError } from './receiver-errors.ts'

/** How long a reader may keep the facts, in seconds: an update of the service changes them. */
const maxAgeSeconds = 3600

/** What the receiver of these addresses says of itself. Nothing of it is about a partner. */
export function factsOfReceiver(audience: readonly string[]): ReceiverFacts {
  const [address = ''] = audience
  return {
    version: 1,
    address,
    audiences: [...audience],
    algorithms: [...payloadAlgorithms],
    policies: [...payloadPolicies],
    limits: {
      formBytes: maxFormBytes,
      spanSeconds: maxSpanSeconds,
      toleranceSeconds,
      openSeconds: openTimeoutSeconds,
      logInSeconds: logInTimeoutSeconds,
    },
    frames: {
      messages: frameMessageVersion,
      headers: ['Sec-Fetch-Dest'],
      sandbox: [
        'allow-scripts',
        'allow-same-origin',
        'allow-forms',
        'allow-popups',
        'allow-popups-to-escape-sandbox',
      ],
    },
    docs: `${docsSite}reference/partner-link`,
    errors: `${docsSite}errors`,
  }
}

/** Answers `GET {sso_url}/.well-known/partner-link`. Any page may read it. */
export function describeReceiver(request: Request, facts: ReceiverFacts): Response {
  const isHead = request.method === 'HEAD'
  if (request.method !== 'GET' && !isHead) return refusalResponse(new MethodNotAllowedError('GET'), request)
  return new Response(isHead ? null : JSON.stringify(facts), {
    headers: {
      'content-type': 'application/json',
      'cache-control': `public, max-age=${maxAgeSeconds}`,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}
