import { encodeFrame, FrameDecoder, type SessionId } from '@service-link/protocol-core'
import { expect } from 'vitest'
import { dial, whenClosed } from './pipe.ts'

/** A message of a server in session mode, as it travels. */
export interface SentMessage {
  readonly Id?: SessionId | null
  readonly Result?: unknown
  readonly Error?: { readonly Code: string; readonly Message: string; readonly Details?: unknown }
  readonly Event?: string
  readonly Data?: unknown
}

/** A client in session mode that checks nothing. */
export type SessionPipe = Awaited<ReturnType<typeof openSessionPipe>>

/** Opens a connection for session mode, and sends nothing. */
export async function openSessionPipe(address: string | undefined) {
  const socket = await dial(address)
  const decoder = new FrameDecoder({ maxFrameBytes: 16 * 1024 * 1024 })
  const messages: SentMessage[] = []
  socket.on('data', (chunk: Uint8Array) => {
    for (const body of decoder.push(chunk)) messages.push(JSON.parse(Buffer.from(body).toString()))
  })
  const closed = whenClosed(socket)
  const send = (...envelopes: readonly object[]) =>
    void socket.write(Buffer.concat(envelopes.map(envelope => encodeFrame(JSON.stringify(envelope)))))
  const answer = async (id: SessionId | null) => {
    const isAnswer = (message: SentMessage) => message.Id === id
    await expect.poll(() => messages.some(isAnswer), { timeout: 60_000, interval: 2 }).toBe(true)
    return messages.find(isAnswer) ?? {}
  }
  return {
    socket,
    /** All messages, in order. */
    messages,
    /** Sends requests in one write. */
    send,
    /** Sends one request and waits for its answer. */
    ask(id: SessionId, method: string, args?: object): Promise<SentMessage> {
      send({ Id: id, Method: method, ...(args ? { Args: args } : {}) })
      return answer(id)
    },
    /** Waits for the answer to a sent request. */
    answer,
    /** Waits until the server has ended the connection. All messages have come then. */
    closed: () => closed,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
