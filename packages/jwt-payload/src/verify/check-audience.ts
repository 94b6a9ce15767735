import { PayloadAudienceError } from '../errors/payload-errors.ts'
import type { PayloadPolicy } from './policy.ts'

/**
 * Checks `aud`: one text or a list of them, of which one must be this receiver.
 *
 * @param expected addresses that count alike; the first is told to a sender that is refused
 * @throws {PayloadAudienceError} when it names others, or is missing under `strict`
 */
export function checkAudience(aud: unknown, expected: readonly string[], policy: PayloadPolicy): void {
  if (aud === undefined && policy === 'lenient') return
  const given: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (given.some(value => typeof value === 'string' && expected.includes(value))) return
  throw new PayloadAudienceError(
    `The claim aud must be the address of this receiver, ${expected[0] ?? ''}, exactly.`,
  )
}
