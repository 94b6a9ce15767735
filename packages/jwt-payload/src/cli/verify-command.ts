import { printJson, type Terminal, withProgress } from '@service-link/command-line'
import { PayloadKeyError, PayloadShapeError, Refusal } from '../errors/refusals.ts'
import { findPartner } from '../explain/find-partner.ts'
import { PartnerInactiveError } from '../receiver/receiver-errors.ts'
import { readAlgorithm } from '../verify/check-signature.ts'
import { readToken } from '../verify/read-token.ts'
import { type VerifiedPayload, verifyToken } from '../verify/verify-payload.ts'
import type { VerifyRequest } from './command-line.ts'
import { readVerifyingInput, type VerifyingInput } from './verifying-input.ts'

/**
 * Verifies, and prints the payload.
 *
 * @throws {Refusal} when it is refused
 */
export async function runVerify(request: VerifyRequest, terminal: Terminal): Promise<void> {
  const input = await readVerifyingInput(request, terminal)
  try {
    const verified = await withProgress(terminal, 'Verifying', () => verifyAsService(input))
    const { payload, algorithm, keyId, issuer, tokenId, times } = verified
    await printJson(
      request.json ? { payload, algorithm, keyId, issuer, tokenId, ...times } : payload,
      terminal,
    )
  } catch (error) {
    if (request.json && error instanceof Refusal)
      await printJson(
        {
          refusal: {
            code: error.code,
            ...(error instanceof PayloadShapeError ? { issues: error.issues } : {}),
          },
        },
        terminal,
      )
    throw error
  }
}

/**
 * Verifies as a service with several partners does: finds the partner before it looks at a key, and looks whether it is active.
 *
 * @throws {Refusal} for the first check that fails, as the receiver
 */
async function verifyAsService(input: VerifyingInput): Promise<VerifiedPayload> {
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
