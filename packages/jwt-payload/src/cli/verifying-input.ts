import { type Terminal, UsageError } from '@service-link/command-line'
import { Refusal } from '../errors/refusals.ts'
import { unwrapToken } from '../explain/unwrap-token.ts'
import { readToken } from '../verify/read-token.ts'
import type { VerifyingOptions } from './command-line.ts'
import { takeToken } from './read-files.ts'
import { readVerificationKeys, type VerificationKeys } from './read-verification-keys.ts'

/** Token, keys and options, read. */
export interface VerifyingInput extends VerificationKeys {
  readonly token: string
  readonly audience: string
  readonly policy: 'strict' | 'lenient'
  readonly issuer: string | undefined
  readonly clock: () => Date
  readonly signal: AbortSignal
}

/** Reads what the options name, and says which time counts where that is not now. */
export async function readVerifyingInput(
  options: VerifyingOptions,
  terminal: Terminal,
): Promise<VerifyingInput> {
  const { audience, at } = options
  const { keys, sources, terms } = await readVerificationKeys(options.key, options.kid, terminal)
  const token = await takeToken({ token: options.token, file: options.file }, terminal)
  const moment = at === 'iat' ? signingTimeOf(token) : at
  if (moment) terminal.tell(`${noteOf(moment, at === 'iat')}\n\n`)
  return {
    token,
    keys,
    sources,
    terms,
    audience,
    policy: options.policy ?? terms?.policy ?? 'strict',
    issuer: options.issuer ?? terms?.issuer,
    clock: moment ? () => moment : terminal.clock,
    signal: terminal.interruption(),
  }
}

function noteOf(moment: Date, isSigningTime: boolean): string {
  const time = `${moment.toISOString().slice(0, 19)}Z`
  return isSigningTime
    ? `Looked at as of ${time}, the iat of the token, and not as of now.`
    : `Looked at as of ${time}, and not as of now.`
}

/** Latest second that a date of four digits has. */
const maxSeconds = 253_402_300_799

/**
 * When a token says that it was signed.
 *
 * @returns `undefined` for a text that is no token: there is nothing in it whose time could count
 * @throws {UsageError} when a token does not say it in seconds
 */
function signingTimeOf(text: string): Date | undefined {
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
