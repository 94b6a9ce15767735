import { PayloadKeyError } from '../../errors/refusals.ts'
import { findPartner } from '../../explain/find-partner.ts'
import { PartnerInactiveError } from '../../receiver/receiver-errors.ts'
import { readAlgorithm } from '../../verify/choose-keys.ts'
import { readToken } from '../../verify/read-token.ts'
import { type VerifiedPayload, verifyToken } from '../../verify/verify-payload.ts'
import type { VerifyingInput } from './verifying-options.ts'

/**
 * Verifies as a service with several partners does: finds the partner before it looks at a key, and looks whether it is active.
 *
 * @throws {Refusal} for the first check that fails, as the receiver
 */
export async function verifyAsService(input: VerifyingInput): Promise<VerifiedPayload> {
  const { terms, keys, issuer } = input
  const token = readToken(input.token)
  readAlgorithm(token.header)
  const found = findPartner(token, { keys, issuer, isWhole: terms !== undefined })
  if (found === 'nothing')
    throw new PayloadKeyError(
      'No partner is found by the header’s kid or the claim iss: neither is registered. Send one of them; or, where the key is registered with another kid or issuer than was given here, give that.',
    )
  return verifyToken(token, {
    ...input,
    onSigned: () => {
      if (terms?.isActive === false) throw new PartnerInactiveError()
    },
  })
}
