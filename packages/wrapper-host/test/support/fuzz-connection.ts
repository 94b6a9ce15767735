import { connect } from 'node:net'
import { commandErrorCodes, decodeText, readSessionMessage } from '@service-link/protocol-core'
import { FrameDecoder } from '@service-link/protocol-core/frame'
import { type FuzzStream, planted } from './fuzz-stream.ts'

/** Longest time from the end of a stream to the end of its connection, in milliseconds. */
const hangMs = 60_000

/** Outcome of a connection. */
export interface FuzzOutcome {
  /** Number of answers, without events. */
  readonly answerCount: number
  /** Answers: codes of failures, and `result`. */
  readonly kinds: ReadonlySet<string>
  /** Code of the failure that broke it, if any. */
  readonly failure: string | undefined
}

/**
 * Sends a stream, reads the answers, and waits for the server to end the connection.
 *
 * @throws {Error} when the server does not end it, or sends an invalid frame or answer, or quotes a forbidden text
 */
export async function playStream(address: string, stream: FuzzStream): Promise<FuzzOutcome> {
  const decoder = new FrameDecoder({ maxFrameBytes: 16 * 1024 * 1024 })
  const kinds = new Set<string>()
  let answerCount = 0
  let failure: string | undefined
  const closed = Promise.withResolvers<void>()
  const socket = connect({ path: address, allowHalfOpen: true })
  const hang = setTimeout(() => closed.reject(new Error('The connection was not ended.')), hangMs)
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message
  })
  socket.on('close', () => closed.resolve())
  socket.on('data', (chunk: Uint8Array) => {
    try {
      for (const body of decoder.push(chunk)) {
        const kind = kindOf(body)
        kinds.add(kind)
        if (kind !== 'event') answerCount++
      }
    } catch (error) {
      closed.reject(error)
    }
  })
  socket.on('end', () => socket.end())
  for (const piece of stream.pieces) {
    socket.write(piece)
    if (piece.length < 100) await new Promise(done => setImmediate(done))
  }
  socket.end()
  try {
    await closed.promise
    if (failure === undefined) decoder.end()
  } finally {
    clearTimeout(hang)
    socket.destroy()
  }
  return { answerCount, kinds, failure }
}

/** Returns `event`, `result`, or the code of a failure; throws for anything else. */
function kindOf(body: Uint8Array): string {
  const text = decodeText(body)
  const value = text.startsWith('{') ? JSON.parse(text) : text
  const isEvent = 'Event' in Object(value)
  // The client knows its id, and subscribes to the person in focus.
  const quoted = JSON.stringify(value, (name, member) => (name === 'Id' || name === 'person' ? null : member))
  if (!isEvent && quoted.includes(planted))
    throw new Error(`An answer quotes an argument: ${text.slice(0, 300)}`)
  if (typeof value === 'string') return 'result'
  if ('error' in value || 'Error' in value) {
    const code = value.Error?.Code ?? value.code
    if (!commandErrorCodes.includes(code)) throw new Error(`Not a known code: ${text.slice(0, 300)}`)
    if ('Error' in value) readSessionMessage(body)
    return code
  }
  // A message without an id and an event is a classic result that is an object.
  if ('Id' in value || isEvent) readSessionMessage(body)
  return isEvent ? 'event' : 'result'
}
