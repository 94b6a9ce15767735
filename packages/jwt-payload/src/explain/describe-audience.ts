import type { Refusal } from '../errors/refusal.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { quoteText, quoteValue } from './quote-text.ts'
import { withoutEnd } from './same-name.ts'

/** How many audiences are shown and compared. */
const maxCompared = 5

/** So many characters more than the expected address are no spelling of it. */
const maxLonger = 200

/** What is said of `aud`. */
export function describeAudience({ claims, audience }: Verification, refusal: Refusal | undefined): Words {
  const aud = claims?.aud
  const expected = audience[0] ?? ''
  if (!refusal)
    return {
      says:
        aud === undefined
          ? 'There is no aud, which the policy lenient takes.'
          : 'aud is the address of this receiver.',
    }
  if (aud === undefined)
    return { says: 'The claim aud is missing.', change: `Sign with the audience ${quoteText(expected)}.` }
  const given = (Array.isArray(aud) ? aud : [aud])
    .filter(value => typeof value === 'string')
    .slice(0, maxCompared)
  const shown = given.length > 0 ? given.map(quoteText).join(', ') : quoteValue(aud)
  const difference = given.map(text => differenceOf(text, expected)).find(text => text !== undefined)
  return {
    says: `aud is ${shown}, and this receiver is ${quoteText(expected)}. They are compared letter by letter${difference === undefined ? '' : `: ${difference}`}.`,
    change: `Sign with the audience ${quoteText(expected)}, exactly.`,
  }
}

/** What two addresses differ in, as a clause. */
function differenceOf(given: string, expected: string): string | undefined {
  if (given.length > expected.length + maxLonger) return 'it is far longer'
  if (given.trim() === expected) return 'white space is around it'
  if (withoutEnd(given, '/') === withoutEnd(expected, '/'))
    return given.endsWith('/') ? 'a slash too many at its end' : 'the slash at its end is missing'
  if (!URL.canParse(given) || !URL.canParse(expected)) return undefined
  const [ours, theirs] = [new URL(expected), new URL(given)]
  if (theirs.href === ours.href) return 'the same address in another spelling'
  if (theirs.protocol !== ours.protocol && theirs.host === ours.host)
    return `it begins with ${theirs.protocol}// instead of ${ours.protocol}//`
  if (theirs.hostname !== ours.hostname) return 'the host is another one'
  if (theirs.port !== ours.port) return 'the port is another one'
  if (theirs.pathname !== ours.pathname) return 'the path is another one'
  return 'what follows the path differs'
}
