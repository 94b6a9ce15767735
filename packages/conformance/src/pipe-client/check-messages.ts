import {
  type ClassicCommandName,
  decodeRequest,
  isClassicCommandName,
  parseClassicCommand,
  parseSessionCall,
  readClassicReply,
  readSessionMessage,
} from '@service-link/protocol-core'
import type { Checks } from '../checks.ts'
import type { TappedConnection } from './start-tap.ts'

/** The culture of no vector: dates of the runner's requests are ISO dates. */
const culture = 'en-US'

/** Reads each message of a program, and of the wrapper to it, by its schema. */
export function checkMessages(
  checks: Checks,
  connections: readonly TappedConnection[],
  { areArgsWrong = false } = {},
): void {
  for (const { requests, replies, fault } of connections) {
    if (fault !== undefined) checks.fail(fault)
    let classic: ClassicCommandName | undefined
    for (const body of requests)
      checks.message('A request', () => {
        const envelope = decodeRequest(body)
        if (areArgsWrong) return
        if (envelope.id !== undefined) return void parseSessionCall(envelope, { culture })
        const { name } = parseClassicCommand(envelope, { culture })
        if (isClassicCommandName(name)) classic = name
      })
    for (const body of replies)
      checks.message('A reply', () => {
        if (classic) readClassicReply(classic, body)
        else if (!areArgsWrong) readSessionMessage(body)
      })
  }
}
