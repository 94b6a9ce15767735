import { argumentNames } from '@service-link/cli-args'
import {
  argumentsOf,
  commandNames,
  decodeRequest,
  type RequestEnvelope,
  type SessionId,
  sessionMethods,
} from '@service-link/protocol-core'
import { personFields } from '@service-link/protocol-core/person'
import type { ReportEvent, WrapperEvent } from './events.ts'

type Exchange = Extract<WrapperEvent, { type: 'exchange' }>

interface BegunExchange extends Pick<Exchange, 'kind' | 'direction' | 'name' | 'connection'> {
  /** What passes: bytes, text, or a value that travels as JSON. */
  readonly content: unknown
  /** Its arguments by name, or the words of a launch. Default: none. */
  readonly args?: unknown
}

/** A log whose exchanges are absent while it is not at the level `debug`. */
export interface DebugLog {
  readonly exchanges?: ExchangeLog | undefined
}

/** Ends an exchange: `ok` or a code, and the content of the reply. */
export type EndExchange = (outcome: string, reply?: unknown) => void

/**
 * Writes each launch, file, frame and call of the bridge to the debug log, in a line when it has ended: names, types and lengths of its
 * arguments, and no value. Names that the wrapper does not know may be values, and are written as `?`.
 */
export class ExchangeLog {
  readonly #report: ReportEvent
  #exchangeCount = 0
  #connectionCount = 0

  constructor(report: ReportEvent) {
    this.#report = report
  }

  nextConnection(): number {
    return ++this.#connectionCount
  }

  begin({ content, args, ...facts }: BegunExchange): EndExchange {
    const shape = args === undefined ? '' : shapeOf(args)
    const begun = { exchange: ++this.#exchangeCount, ...facts, bytes: byteCount(content) }
    const begunMs = performance.now()
    return (outcome, reply) => {
      const durationMs = Math.round((performance.now() - begunMs) * 1000) / 1000
      const ended = { outcome, durationMs, ...(reply === undefined ? {} : { replyBytes: byteCount(reply) }) }
      this.#report({ type: 'exchange', ...begun, ...(shape === '' ? {} : { args: shape }), ...ended })
    }
  }

  note(message: BegunExchange): void {
    this.begin(message)('ok')
  }
}

function byteCount(content: unknown): number {
  if (content instanceof Uint8Array) return content.length
  return Buffer.byteLength(typeof content === 'string' ? content : (JSON.stringify(content) ?? ''))
}

const fold = (name: string) => name.toLowerCase()

const knownNames: ReadonlySet<string> = new Set(
  [
    ...argumentNames,
    ...commandNames.flatMap(name => argumentsOf(name).map(argument => argument.name)),
    ...Object.keys(personFields),
    ...['events', 'person', 'isSignedIn', 'protocol', 'handlers'],
  ].map(fold),
)

const maxShownArguments = 40

/** Says of each argument its name, its type and its length, such as `customid text 4, profiledata list 2`. */
function shapeOf(args: unknown): string {
  const entries = Array.isArray(args) ? args.map(readWord) : Object.entries(Object(args))
  const shapes = entries.map(([name, value]) => `${knownNames.has(fold(name)) ? name : '?'} ${typeOf(value)}`)
  const more = shapes.length > maxShownArguments ? ['…'] : []
  return [...shapes.slice(0, maxShownArguments), ...more].join(', ')
}

/** Name and value of a launch's argument. A word such as a file has no name. */
function readWord(word: unknown): readonly [string, unknown] {
  const [, name, value] = /^\s*"?\s*([\w.-]+)\s*=(.*)$/s.exec(String(word)) ?? []
  return name === undefined ? ['', word] : [name, value]
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return `text ${value.length}`
  if (Array.isArray(value)) return `list ${value.length}`
  if (typeof value === 'object' && value !== null) return `object ${Object.keys(value).length}`
  return value === null ? 'null' : typeof value
}

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
