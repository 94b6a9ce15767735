import { PayloadKeyError } from '../errors/payload-errors.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import { checkAudience } from './check-audience.ts'
import { type CheckedClaims, checkClaims } from './check-claims.ts'
import { checkSignature } from './check-signature.ts'
import { checkTimes, type PayloadTimes } from './check-times.ts'
import { type ChosenKeys, chooseKeys, readAlgorithm } from './choose-keys.ts'
import type { JsonObject } from './claim-depth.ts'
import type { PayloadPolicy } from './policy.ts'
import type { UnverifiedToken } from './read-token.ts'

/** What the checks of one token ask, and what those that passed have found. */
export interface Verification {
  readonly token: UnverifiedToken
  readonly keys: readonly VerificationKey[]
  /** Addresses that count as the receiver's. */
  readonly audience: readonly string[]
  /** The only `iss` that the token may carry; `undefined` for any. */
  readonly issuer: string | undefined
  readonly policy: PayloadPolicy
  readonly toleranceSeconds: number
  /** Gives up the wait for a key set. */
  readonly signal: AbortSignal | undefined
  readonly now: Date
  algorithm: PayloadAlgorithm | undefined
  chosen: ChosenKeys | undefined
  claims: JsonObject | undefined
  /** The key that the signature was made with: from here on the token is the partner's. */
  key: VerificationKey | undefined
  times: PayloadTimes | undefined
  checked: CheckedClaims | undefined
}

/** Name of a check of {@link payloadChecks}. */
export type PayloadCheckName =
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'json'
  | 'issuer'
  | 'times'
  | 'audience'
  | 'claims'

/** One check of a token that was taken apart. */
export interface PayloadCheck {
  readonly name: PayloadCheckName
  /** The finding of an earlier check without which this one makes no sense. */
  readonly needs?: 'algorithm' | 'chosen' | 'claims'
  /** Looks at what the checks before it found, and adds its own finding. Throws the refusal. */
  readonly run: (verification: Verification) => void | Promise<void>
}

/**
 * Every check of a token, in the order of the partner link. `verifyPayload` stops at the first that fails; `explainPayload`
 * walks on where that still makes sense. A check that needs what another finds comes after it. Claims are read once the
 * signature fits: reading them costs time.
 */
export const payloadChecks: readonly PayloadCheck[] = [
  {
    name: 'algorithm',
    run: verification => {
      verification.algorithm = readAlgorithm(verification.token.header)
    },
  },
  {
    name: 'key',
    needs: 'algorithm',
    run: verification => {
      const { token, keys, now } = verification
      verification.chosen = chooseKeys(token.header, found(verification.algorithm), keys, now)
    },
  },
  {
    name: 'signature',
    needs: 'chosen',
    run: async verification => {
      verification.key = await checkSignature(
        verification.token,
        found(verification.chosen),
        verification.signal,
      )
    },
  },
  {
    name: 'json',
    run: verification => {
      verification.claims = verification.token.claims()
    },
  },
  {
    name: 'issuer',
    needs: 'claims',
    run: ({ claims, issuer }) => {
      const { iss } = found(claims)
      if (issuer !== undefined && iss !== undefined && iss !== issuer)
        throw new PayloadKeyError('The claim iss is not the issuer that this key is registered for.')
    },
  },
  {
    name: 'times',
    needs: 'claims',
    run: verification => {
      verification.times = checkTimes(found(verification.claims), verification)
    },
  },
  {
    name: 'audience',
    needs: 'claims',
    run: ({ claims, audience, policy }) => checkAudience(found(claims).aud, audience, policy),
  },
  {
    name: 'claims',
    needs: 'claims',
    run: verification => {
      verification.checked = checkClaims(found(verification.claims), verification.policy)
    },
  },
]

/** What an earlier check has found. It is there when the checks run in their order, each only after those it needs. */
export function found<Finding>(finding: Finding | undefined): Finding {
  if (finding === undefined) throw new TypeError('A check ran before one that it needs.')
  return finding
}
