import { Refusal } from '../../errors/refusals.ts'
import { unwrapToken } from '../../explain/unwrap-token.ts'
import { readToken } from '../../verify/read-token.ts'
import { UsageError } from '../cli-errors.ts'

/** Latest second that a date of four digits has. */
const maxSeconds = 253_402_300_799

/**
 * When a token says that it was signed.
 *
 * @returns `undefined` for a text that is no token: there is nothing in it whose time could count
 * @throws {UsageError} when a token does not say it in seconds
 */
export function signingTimeOf(text: string): Date | undefined {
  const iat = readIat(text)
  if (iat === 'no token') return undefined
  if (typeof iat !== 'number' || !(iat >= 0 && iat <= maxSeconds))
    throw new UsageError('The token has no iat in seconds. Give --at a time.')
  return new Date(iat * 1000)
}

function readIat(text: string): unknown {
  try {
    return readToken(unwrapToken(text).token).claims().iat
  } catch (error) {
    if (error instanceof Refusal) return 'no token'
    throw error
  }
}
