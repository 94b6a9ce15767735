import type { SessionCallName } from '@service-link/protocol-core'
import type { FrameText } from '@service-link/protocol-core/frame'
import type { Deadline } from '@service-link/protocol-core/time'

/** Methods that the wrapper answers at once. They never count as in flight. */
const answeredAtOnce: ReadonlySet<SessionCallName> = new Set([
  'hello',
  'status',
  'subscribe',
  'cancel',
  'version',
  'close',
  'log',
])

/** Tells whether a call counts as in flight until it is answered. */
export function isCommand(name: SessionCallName): boolean {
  return !answeredAtOnce.has(name)
}

/** One call, from the method to the reply. */
export interface Call {
  readonly id: number
  readonly name: SessionCallName
  /** See {@link isCommand}. */
  readonly isCommand: boolean
  readonly frame: FrameText
  readonly deadline: Deadline
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Listener on the signal of the deadline. */
  abort: (() => void) | undefined
  /** Whether its caller gave it up. The wrapper may still be at work. */
  isGivenUp: boolean
}

/** Commands that a wrapper takes at a time if it does not say (protocol: limits). */
const defaultMaxInFlight = 64

/** Most bytes of commands that the wrapper has at a time. It refuses more (protocol: limits). */
const maxInFlightBytes = 4 * 1024 * 1024

/** The calls of one connection without an answer. Says which call is sent next. */
export class PendingCalls {
  /** Calls that were not sent, oldest first. */
  readonly #queued = new Set<Call>()
  /** Calls that the wrapper has. A command stays until its answer, even if its caller gave it up. */
  readonly #sent = new Map<number, Call>()
  #maxInFlight = defaultMaxInFlight
  #lastSentId = 0
  #queuedAsideCount = 0
  #commandCount = 0
  #commandBytes = 0

  /** Sets how many commands the wrapper has at a time. */
  limit(maxInFlight: number): void {
    this.#maxInFlight = maxInFlight
  }

  add(call: Call): void {
    this.#queued.add(call)
    if (!call.isCommand) this.#queuedAsideCount++
  }

  /**
   * Takes the calls that are due, in order, until their frames have this many bytes. Only commands wait for others: while
   * the wrapper has as many as it allows, or all together would have more than 4 MiB.
   *
   * @returns their frames
   */
  removeDue(roomBytes: number): readonly FrameText[] {
    const due: FrameText[] = []
    let byteCount = 0
    let isHeld = false
    for (const call of this.#queued) {
      if (byteCount >= roomBytes) break
      // Later commands do not overtake a command that waits.
      isHeld ||= call.isCommand && !this.#hasRoom(call.frame.length)
      if (call.isCommand && isHeld) {
        if (this.#queuedAsideCount === 0) break
        continue
      }
      this.#unqueue(call)
      this.#sent.set(call.id, call)
      if (call.isCommand) {
        this.#commandCount++
        this.#commandBytes += call.frame.length
      }
      this.noteSent(call.id)
      byteCount += call.frame.length
      due.push(call.frame)
    }
    return due
  }

  /** Notes that an id was sent. */
  noteSent(id: number): void {
    this.#lastSentId = Math.max(this.#lastSentId, id)
  }

  /** Takes the call of a reply; nothing if there is none. */
  removeAnswered(id: number): Call | undefined {
    const call = this.#sent.get(id)
    if (!call) return undefined
    this.#sent.delete(id)
    if (!call.isCommand) return call
    this.#commandCount--
    this.#commandBytes -= call.frame.length
    return call
  }

  /** Notes that nobody waits for a call any more. Returns whether the call was sent. */
  giveUp(call: Call): boolean {
    call.isGivenUp = true
    if (this.#unqueue(call)) return false
    if (!call.isCommand) this.#sent.delete(call.id)
    return true
  }

  isQueued(call: Call): boolean {
    return this.#queued.has(call)
  }

  hasQueued(): boolean {
    return this.#queued.size > 0
  }

  /** Tells whether this id was never sent. A second reply to a call is not stray. */
  isStray(id: unknown): boolean {
    if (typeof id !== 'number' || id < 1 || id > this.#lastSentId) return true
    return [...this.#queued].some(call => call.id === id)
  }

  /** Calls that somebody waits for. */
  *awaited(): Iterable<Call> {
    for (const call of this.#sent.values()) if (!call.isGivenUp) yield call
    yield* this.#queued
  }

  /** Tells whether a command of this many bytes may be sent. */
  #hasRoom(byteCount: number): boolean {
    if (this.#commandCount >= this.#maxInFlight) return false
    return this.#commandCount === 0 || this.#commandBytes + byteCount <= maxInFlightBytes
  }

  #unqueue(call: Call): boolean {
    if (!this.#queued.delete(call)) return false
    if (!call.isCommand) this.#queuedAsideCount--
    return true
  }
}
