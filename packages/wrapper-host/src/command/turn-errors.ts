import { CancelledError, CommandTimeoutError } from '@service-link/protocol-core'

/** Why a command fails whose user signs out while the page is at work for it; one that has not begun is simply not signed in for. */
export function signedOutAtWork(): CancelledError {
  return new CancelledError(
    'The user of the web app has signed out before it answered. Whether the command had an effect is not known.',
  )
}

/** Why a command fails whose turn has not come within the limit. */
export function turnTimeout(timeoutMs: number): CommandTimeoutError {
  const sentence = `The command waited for its turn, behind others, for ${Math.round(timeoutMs)} ms. Nothing was done.`
  return new CommandTimeoutError(timeoutMs, sentence)
}
