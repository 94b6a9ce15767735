import type { Refusal } from '../errors/refusal.ts'
import { payloadAlgorithms } from '../keys/algorithms.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { quoteValue } from './quote-text.ts'

/** What is said of the header's `alg`. */
export function describeAlgorithm({ token }: Verification, refusal: Refusal | undefined): Words {
  const { alg } = token.header
  if (!refusal) return { says: `alg ${quoteValue(alg)} is an algorithm of the partner link.` }
  const says = `The header’s alg is ${quoteValue(alg)}, which the partner link does not have.`
  if (typeof alg !== 'string')
    return { says, change: 'Let the library write the header’s alg when it signs.' }
  if (alg.toLowerCase() === 'none')
    return { says, change: 'An unsigned token is never taken. Sign it with your private key or secret.' }
  const meant = payloadAlgorithms.find(name => name.toLowerCase() === alg.toLowerCase())
  if (meant) return { says, change: `Write ${meant}: upper and lower case count.` }
  return { says, change: `Use one of ${payloadAlgorithms.join(', ')}.` }
}
