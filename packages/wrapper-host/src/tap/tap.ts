import type { Traffic } from '@service-link/protocol-core'
import { hideTokens } from './hide-tokens.ts'

const maxReportedBytes = 16 * 1024

/** Facts of a message: its bytes or text, or a value that JSON can write. */
export interface TappedMessage extends Pick<Traffic, 'name' | 'connection' | 'mode'> {
  readonly content: unknown
}

/** Reports the reply to a message: `ok` or a code, and the reply's content. */
export type ReportReply = (outcome: string, content: unknown) => void

/**
 * Reports all messages that pass the wrapper to those who watch. It keeps nothing. A wrapper has one only if it was started so: no
 * caller can turn it on.
 */
export class Tap {
  readonly #watchers = new Set<(message: Traffic) => void>()
  #exchangeCount = 0
  #connectionCount = 0

  /** Adds a watcher; the function returned removes it. */
  watch(watcher: (message: Traffic) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  nextConnection(): number {
    return ++this.#connectionCount
  }

  /** Reports a message. Returns how to report its reply, or nothing while nobody watches. */
  report(
    kind: Traffic['kind'],
    direction: Traffic['direction'],
    { content, ...facts }: TappedMessage,
  ): ReportReply | undefined {
    if (this.#watchers.size === 0) return undefined
    const exchange = ++this.#exchangeCount
    const begunMs = performance.now()
    this.#tell({ kind, direction, exchange, ...facts }, content)
    return (outcome, reply) => {
      const durationMs = Math.round((performance.now() - begunMs) * 1000) / 1000
      const back = direction === 'in' ? 'out' : 'in'
      this.#tell({ kind, direction: back, exchange, ...facts, outcome, durationMs }, reply)
    }
  }

  #tell(facts: Omit<Traffic, 'time' | 'bytes'>, content: unknown): void {
    const message = { time: new Date().toISOString(), ...facts, ...describeContent(content) } as Traffic
    for (const watch of this.#watchers) watch(message)
  }
}

function describeContent(content: unknown): Pick<Traffic, 'bytes' | 'text' | 'base64' | 'isCut'> {
  if (content === undefined) return { bytes: 0 }
  const whole = content instanceof Uint8Array || typeof content === 'string' ? content : asJson(content)
  const byteCount = typeof whole === 'string' ? Buffer.byteLength(whole) : whole.length
  const start = Buffer.from(whole.slice(0, maxReportedBytes) as string).subarray(0, maxReportedBytes)
  const cut = byteCount > start.length ? { isCut: true } : {}
  return { bytes: byteCount, ...readBytes(start, byteCount > start.length), ...cut }
}

/** A cut may part a character: the decoder leaves such a rest out. */
function readBytes(bytes: Buffer, isCut: boolean): Pick<Traffic, 'text' | 'base64'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
    return { text: hideTokens(text) }
  } catch {
    return { base64: Buffer.from(hideTokens(bytes.toString('latin1')), 'latin1').toString('base64') }
  }
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
