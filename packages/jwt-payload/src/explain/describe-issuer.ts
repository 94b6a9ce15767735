import type { Refusal } from '../errors/refusal.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { quoteText, quoteValue } from './quote-text.ts'

/** What is said of `iss`. */
export function describeIssuer({ claims, issuer }: Verification, refusal: Refusal | undefined): Words {
  const iss = claims?.iss
  if (refusal)
    return {
      says: `iss is ${quoteValue(iss)}, and ${quoteText(issuer ?? '')} is registered. They are compared letter by letter.`,
      change: 'Sign with the registered issuer, or register yours.',
    }
  if (iss === undefined) return { says: 'There is no iss, and none is needed beside a registered kid.' }
  if (issuer === undefined)
    return { says: `iss is ${quoteValue(iss)}. No issuer was given to compare it with.` }
  return { says: 'iss is the registered issuer.' }
}
