import { decodeRequest, type RequestEnvelope, type SessionId } from '@service-link/protocol-core'
import type { ReportReply, Tap } from './tap.ts'

/** Reports the frames of one connection of the pipe, each reply with its request. Frames of the tap itself do not pass here. */
export class ConnectionTap {
  readonly #tap: Tap
  readonly #connection: number
  #mode: 'classic' | 'session' = 'classic'
  readonly #requests = new Map<SessionId, ReportReply>()
  /** The last request whose reply has no id. */
  #unnamed: ReportReply | undefined

  constructor(tap: Tap) {
    this.#tap = tap
    this.#connection = tap.nextConnection()
  }

  /** Reports a frame of the client, or bytes that are none. */
  received(body: Uint8Array): void {
    const request = readEnvelope(body)
    const id = request?.id
    if (id !== undefined) this.#mode = 'session'
    const method = request?.method
    const reply = this.#report('in', body, typeof method === 'string' ? method : undefined)
    if (!reply) return
    if (id === undefined || this.#requests.has(id)) this.#unnamed = reply
    else this.#requests.set(id, reply)
  }

  /**
   * Reports a reply, before it is sent. A classic connection may end without one.
   *
   * @param outcome `ok` or a code
   */
  replied(outcome: string, text: string | undefined, id: SessionId | null = null): void {
    const reply = id === null ? this.#unnamed : this.#requests.get(id)
    if (id === null) this.#unnamed = undefined
    else this.#requests.delete(id)
    if (reply) reply(outcome, text)
  }

  told(name: string, text: string): void {
    this.#report('out', text, name)
  }

  #report(direction: 'in' | 'out', content: Uint8Array | string, name: string | undefined) {
    const facts = { content, connection: this.#connection, mode: this.#mode }
    return this.#tap.report('frame', direction, name === undefined ? facts : { ...facts, name })
  }
}

function readEnvelope(body: Uint8Array): RequestEnvelope | undefined {
  try {
    return decodeRequest(body)
  } catch {
    return undefined
  }
}
