import { AsyncLocalStorage } from 'node:async_hooks'
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
  /** The exchange in which a message of the page comes. Default: none, as for all that comes from outside. */
  readonly within?: OpenExchange | undefined
}

/** An exchange that has begun. */
export interface OpenExchange {
  /** Its number. */
  readonly exchange: number
  /** Ends it: `ok` or a code, and the content of the reply. */
  readonly end: (outcome: string, reply?: unknown) => void
  /** Does what it causes: what begins in the work, also later, is within it. */
  readonly run: <Result>(work: () => Result) => Result
}

/** A log whose exchanges are absent while it is not at the level `debug`. */
export interface DebugLog {
  readonly exchanges?: ExchangeLog | undefined
}

/**
 * Writes each launch, file, frame and call of the bridge to the debug log, in a line when it has ended: names, types and lengths of its
 * arguments, and no value. Names that the wrapper does not know may be values, and are written as `?`.
 */
export class ExchangeLog {
  readonly #report: ReportEvent
  /** Number of the exchange that causes what happens now. */
  readonly #outer = new AsyncLocalStorage<number>()
  #exchangeCount = 0
  #connectionCount = 0

  constructor(report: ReportEvent) {
    this.#report = report
  }

  nextConnection(): number {
    return ++this.#connectionCount
  }

  begin({ content, args, within, ...facts }: BegunExchange): OpenExchange {
    const exchange = ++this.#exchangeCount
    const comesFromOutside = facts.direction === 'in' && facts.kind !== 'file'
    const outer = comesFromOutside ? within?.exchange : this.#outer.getStore()
    const shape = args === undefined ? '' : shapeOf(args)
    const begun = {
      exchange,
      ...(outer === undefined ? {} : { within: outer }),
      ...facts,
      bytes: byteCount(content),
      ...(shape === '' ? {} : { args: shape }),
    }
    const begunMs = performance.now()
    return {
      exchange,
      end: (outcome, reply) => {
        const durationMs = Math.round((performance.now() - begunMs) * 1000) / 1000
        const replied = reply === undefined ? {} : { replyBytes: byteCount(reply) }
        this.#report({ type: 'exchange', ...begun, outcome, durationMs, ...replied })
      },
      run: work => this.#outer.run(exchange, work),
    }
  }

  note(message: BegunExchange): OpenExchange {
    const noted = this.begin(message)
    noted.end('ok')
    return noted
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
  readonly #requests = new Map<SessionId, OpenExchange>()
  /** The last request whose reply has no id. */
  #unnamed: OpenExchange | undefined

  constructor(log: ExchangeLog) {
    this.#log = log
    this.#connection = log.nextConnection()
  }

  /** A frame of the client, or bytes that are none. */
  received(body: Uint8Array): OpenExchange {
    const request = readEnvelope(body)
    const frame = { kind: 'frame', direction: 'in', connection: this.#connection, content: body } as const
    const open = this.#log.begin({ ...frame, ...(request && { name: nameOf(request), args: request.args }) })
    const id = request?.id
    if (id === undefined || this.#requests.has(id)) this.#unnamed = open
    else this.#requests.set(id, open)
    return open
  }

  /**
   * A reply, before it is sent. A classic connection may end without one.
   *
   * @param outcome `ok` or a code
   */
  replied(outcome: string, text: string | undefined, id: SessionId | null = null): void {
    const open = id === null ? this.#unnamed : this.#requests.get(id)
    if (id === null) this.#unnamed = undefined
    else this.#requests.delete(id)
    open?.end(outcome, text)
  }

  told(name: string, text: string): void {
    this.#log.note({ kind: 'frame', direction: 'out', connection: this.#connection, name, content: text })
  }

  /** The connection is gone: its requests get no reply. */
  [Symbol.dispose](): void {
    for (const open of this.#requests.values()) open.end('gone')
    this.#unnamed?.end('gone')
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
