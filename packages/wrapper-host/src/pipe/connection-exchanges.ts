import {
  commandNames,
  decodeRequest,
  type RequestEnvelope,
  type SessionId,
  sessionMethods,
} from '@service-link/protocol-core'
import type { EndExchange, ExchangeLog } from '../log/exchange-log.ts'

const methods: ReadonlySet<string> = new Set([...commandNames, ...Object.keys(sessionMethods)])

/** Writes the frames of one connection of the pipe to the log, each reply with its request. */
export class ConnectionExchanges {
  readonly #log: ExchangeLog
  readonly #connection: number
  readonly #requests = new Map<SessionId, EndExchange>()
  /** The last request whose reply has no id. */
  #unnamed: EndExchange | undefined

  constructor(log: ExchangeLog) {
    this.#log = log
    this.#connection = log.nextConnection()
  }

  /** A frame of the client, or bytes that are none. */
  received(body: Uint8Array): void {
    const request = readEnvelope(body)
    const frame = { kind: 'frame', direction: 'in', connection: this.#connection, content: body } as const
    const end = this.#log.begin({ ...frame, ...(request && { name: nameOf(request), args: request.args }) })
    const id = request?.id
    if (id === undefined || this.#requests.has(id)) this.#unnamed = end
    else this.#requests.set(id, end)
  }

  /**
   * A reply, before it is sent. A classic connection may end without one.
   *
   * @param outcome `ok` or a code
   */
  replied(outcome: string, text: string | undefined, id: SessionId | null = null): void {
    const end = id === null ? this.#unnamed : this.#requests.get(id)
    if (id === null) this.#unnamed = undefined
    else this.#requests.delete(id)
    end?.(outcome, text)
  }

  /** An event for the client. */
  told(name: string, text: string): void {
    this.#log.note({ kind: 'frame', direction: 'out', connection: this.#connection, name, content: text })
  }

  /** The connection is gone: its requests get no reply. */
  [Symbol.dispose](): void {
    for (const end of this.#requests.values()) end('gone')
    this.#unnamed?.('gone')
  }
}

/** A client may send any text in the place of a command. */
function nameOf({ method }: RequestEnvelope): string {
  const name = typeof method === 'string' ? method.toLowerCase() : ''
  return methods.has(name) ? name : 'unknown'
}

function readEnvelope(body: Uint8Array): RequestEnvelope | undefined {
  try {
    return decodeRequest(body)
  } catch {
    return undefined
  }
}
