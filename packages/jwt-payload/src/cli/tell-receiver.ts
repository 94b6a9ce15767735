import type { ReceiverFacts } from '@service-link/protocol-core/person'
import { type Terminal, withProgress, wrapText } from '@service-link/terminal'
import { quoteText } from '../explain/explained-check.ts'
import { namedAlgorithms } from '../keys/algorithms.ts'
import { discoverReceiver } from '../post/discover-receiver.ts'
import { PostRefusedError, PostReplyError } from '../post/post-errors.ts'

/** Asks a receiver what it takes, and shows that to the person. */
export async function askReceiver(address: string, terminal: Terminal): Promise<ReceiverFacts | undefined> {
  const signal = terminal.interruption()
  const facts = await withProgress(terminal, 'Asking the receiver', () =>
    discoverReceiver(address, { signal }),
  )
  const says = facts ? sentenceOf(facts) : 'The receiver does not say what it takes: the usual limits count.'
  terminal.tell(`${wrapText(says, terminal.columns, '')}\n\n`)
  return facts
}

/** Most audiences that are shown. A receiver may name 64, which would fill the terminal. */
const maxShown = 3

function sentenceOf(facts: ReceiverFacts): string {
  const { audiences, limits } = facts
  const { spanSeconds, toleranceSeconds, formBytes } = limits
  const more = audiences.length > maxShown ? ` or ${audiences.length - maxShown} more` : ''
  const aud = `${audiences.slice(0, maxShown).map(quoteText).join(' or ')}${more}`
  const alg = namedAlgorithms(facts).join(', ') || 'none of the partner link'
  return `The receiver takes aud ${aud}; alg ${alg}; at most ${spanSeconds} s from iat to exp; clocks that differ by ${toleranceSeconds} s; forms of ${formBytes} bytes.`
}

const ofLimits = ['ALGORITHM', 'AUDIENCE', 'TIMES', 'EXPIRED', 'NOT_YET_VALID', 'TOO_LARGE']

/** After a failed post, shows what the receiver takes if that may be the reason. An answer that does not come is no second failure. */
export async function tellAfterFailure(error: unknown, address: string, terminal: Terminal): Promise<void> {
  const code = error instanceof PostRefusedError ? (error.refusalCode ?? '') : undefined
  const isOfLimits = ofLimits.some(name => code === `ERR_PAYLOAD_${name}`)
  if (!(isOfLimits || code === '' || error instanceof PostReplyError)) return
  const facts = await discoverReceiver(address, { signal: terminal.interruption() }).catch(() => undefined)
  if (facts) terminal.tell(`${wrapText(sentenceOf(facts), terminal.columns, '')}\n`)
}
