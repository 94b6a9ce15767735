import { maxRequestFrameBytes } from '@service-link/protocol-core'
import type { Call } from './call.ts'

/** Most bytes of commands that are with the wrapper at a time: it refuses what is beyond them (protocol: limits). */
const maxInFlightBytes = 4 * 1024 * 1024

/** All calls of one connection that were not answered yet, and whose turn it is. */
export class PendingCalls {
  /** Calls that were not written yet, oldest first. */
  readonly #queued = new Set<Call>()
  /** Calls that the wrapper has; commands also when they were given up: it is at them until it says otherwise. */
  readonly #sent = new Map<number, Call>()
  #maxInFlight: number
  #lastSentId = 0
  #queuedAsideCount = 0
  #commandCount = 0
  #commandBytes = 0
  #givenUpCount = 0
  #stuckSinceMs = Number.POSITIVE_INFINITY

  /** @param maxInFlight most commands that the wrapper has at a time */
  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight
  }

  limit(maxInFlight: number): void {
    this.#maxInFlight = Math.min(this.#maxInFlight, maxInFlight)
  }

  /** Since when all that the wrapper has are commands that were given up, with no room for another; a time of `performance.now()`. */
  get stuckSinceMs(): number {
    return this.#stuckSinceMs
  }

  add(call: Call): void {
    this.#queued.add(call)
    if (!call.isCommand) this.#queuedAsideCount++
  }

  /**
   * Takes those that are to be sent now, in order, until their frames have this many bytes. What is no command waits for no other.
   * A command waits while as many as are allowed are with the wrapper, or with it they had more than 4 MiB together.
   */
  takeDue(roomBytes: number): readonly Uint8Array[] {
    const due: Uint8Array[] = []
    let byteCount = 0
    let isHeld = false
    for (const call of this.#queued) {
      if (byteCount >= roomBytes) break
      // What is behind one that is held is held as well, even where it would have room.
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

  /** Takes note of an id that was used. */
  noteSent(id: number): void {
    this.#lastSentId = Math.max(this.#lastSentId, id)
  }

  /** Takes the call out that a reply is for; `undefined` when there is none. */
  takeAnswered(id: number): Call | undefined {
    const call = this.#sent.get(id)
    if (!call) return undefined
    this.#sent.delete(id)
    if (!call.isCommand) return call
    this.#commandCount--
    this.#commandBytes -= call.frame.length
    if (call.isGivenUp) this.#givenUpCount--
    this.#stuckSinceMs = Number.POSITIVE_INFINITY
    return call
  }

  /**
   * Takes note that nobody waits for a call any more.
   *
   * @param nowMs a time of `performance.now()`
   * @returns whether it was sent
   */
  giveUp(call: Call, nowMs: number): boolean {
    call.isGivenUp = true
    if (this.#unqueue(call)) return false
    if (!call.isCommand) this.#sent.delete(call.id)
    else if (++this.#givenUpCount === this.#commandCount && !this.#hasRoom(maxRequestFrameBytes))
      this.#stuckSinceMs = nowMs
    return true
  }

  isQueued(call: Call): boolean {
    return this.#queued.has(call)
  }

  hasQueued(): boolean {
    return this.#queued.size > 0
  }

  /** Whether nothing was ever sent with this id. A second reply, or one that no call waits for, is ignored. */
  isStray(id: unknown): boolean {
    if (typeof id !== 'number' || id < 1 || id > this.#lastSentId) return true
    return [...this.#queued].some(call => call.id === id)
  }

  /** Those that somebody waits for. */
  *awaited(): Iterable<Call> {
    for (const call of this.#sent.values()) if (!call.isGivenUp) yield call
    yield* this.#queued
  }

  clear(): void {
    this.#sent.clear()
    this.#queued.clear()
    this.#stuckSinceMs = Number.POSITIVE_INFINITY
  }

  /** Whether a command of this many bytes may be sent. */
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
