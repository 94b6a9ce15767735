import type { Socket } from 'node:net'
import { frameHeaderBytes, maxReplyFrameBytes } from '@service-link/protocol-core'
import type { PipeLimits } from './pipe-limits.ts'

/** Bytes that wait in all outboxes of one server, above what each may have in any case. */
export interface UnsentBytes {
  byteCount: number
}

/** Options of {@link Outbox}. */
export interface OutboxOptions {
  /** What it may hold, and for how long. */
  readonly limits: Pick<
    PipeLimits,
    'fullAtUnsentBytes' | 'maxUnsentBytes' | 'maxUnsentBytesInAll' | 'maxUnreadEventBytes' | 'unreadLimitMs'
  >
  /** Shared by all outboxes of one server. */
  readonly inAll: UnsentBytes
  /** Called when so much waits for the client that nothing further shall be asked for it, and when that is over. */
  onFull(isFull: boolean): void
}

/** What {@link Outbox.add} is told of a frame. */
export interface AddOptions {
  /** Whether nobody asked for it now: of such frames less may wait than of replies. Default: false. */
  readonly isEvent?: boolean
}

interface Frame {
  readonly text: string
  /** Of the text, as UTF-8. */
  readonly length: number
  readonly isEvent: boolean
}

/** About how many bytes go into one write: what is cut off tells that a slow client still reads. */
const pieceBytes = 64 * 1024

/**
 * What is to be sent on one connection, in frames. All frames of one turn travel in one write. A client that reads nothing of
 * what waits for it loses the connection, and so does one that leaves too many events unread; a long reply without room is not taken.
 */
export class Outbox implements Disposable {
  readonly #socket: Socket
  readonly #options: OutboxOptions
  #frames: Frame[] = []
  /** Of the events among the frames. */
  #eventBytes = 0
  /** What was taken from the frames and is not with the system yet. */
  #batch: Uint8Array | undefined
  #unsentBytes = 0
  #isFull = false
  #isScheduled = false
  #isWriting = false
  #isEnded = false
  #limit: NodeJS.Timeout | undefined

  constructor(socket: Socket, options: OutboxOptions) {
    this.#socket = socket
    this.#options = options
  }

  /**
   * Adds one frame; ends the connection when more events wait then than may. Short replies have room always: there are not more of
   * them than requests in flight.
   *
   * @param text the body
   * @returns whether it was added, or why not: it is longer than a frame may be, or than what is left of what may wait
   */
  add(text: string, { isEvent = false }: AddOptions = {}): 'added' | 'too-long' | 'no-room' {
    const length = Buffer.byteLength(text)
    if (length > maxReplyFrameBytes) return 'too-long'
    if (this.#isEnded || this.#socket.destroyed) return 'added'
    if (length > pieceBytes && !this.#hasRoom(length)) return 'no-room'
    const { fullAtUnsentBytes, maxUnreadEventBytes } = this.#options.limits
    this.#frames.push({ text, length, isEvent })
    this.#change(frameHeaderBytes + length)
    if (isEvent) this.#eventBytes += frameHeaderBytes + length
    if (this.#eventBytes > maxUnreadEventBytes) {
      this[Symbol.dispose]()
      this.#socket.destroy()
      return 'added'
    }
    this.#schedule()
    if (!this.#isFull && this.#unsentBytes > fullAtUnsentBytes) this.#setFull(true)
    return 'added'
  }

  #hasRoom(length: number): boolean {
    const { limits, inAll } = this.#options
    const unsentBytes = this.#unsentBytes + length
    if (unsentBytes <= limits.fullAtUnsentBytes) return true
    return unsentBytes <= limits.maxUnsentBytes && inAll.byteCount + length <= limits.maxUnsentBytesInAll
  }

  #change(byteCount: number): void {
    const { limits, inAll } = this.#options
    const share = () => Math.max(0, this.#unsentBytes - limits.fullAtUnsentBytes)
    const before = share()
    this.#unsentBytes += byteCount
    inAll.byteCount += share() - before
  }

  /** Ends the connection once all is written; the client has as long to end its side as it has to read. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#schedule()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#limit)
    this.#isEnded = true
    this.#frames = []
    this.#batch = undefined
    this.#change(-this.#unsentBytes)
  }

  #setFull(isFull: boolean): void {
    this.#isFull = isFull
    this.#options.onFull(isFull)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isWriting) return
    this.#isScheduled = true
    process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    this.#isScheduled = false
    if (this.#isWriting || this.#socket.destroyed) return
    const piece = this.#takePiece()
    if (!piece) {
      if (!this.#isEnded) return
      this.#socket.end()
      this.#restartLimit()
      return
    }
    this.#isWriting = true
    this.#socket.write(piece, error => error || this.#written(piece.length))
    if (this.#socket.writableLength > 0) this.#restartLimit()
  }

  #written(byteCount: number): void {
    this.#isWriting = false
    // Nothing waits any more in one that was disposed of.
    this.#change(-Math.min(byteCount, this.#unsentBytes))
    clearTimeout(this.#limit)
    if (this.#isFull && this.#unsentBytes <= this.#options.limits.fullAtUnsentBytes) this.#setFull(false)
    this.#flush()
  }

  #restartLimit(): void {
    clearTimeout(this.#limit)
    this.#limit = setTimeout(() => this.#socket.destroy(), this.#options.limits.unreadLimitMs)
  }

  #takePiece(): Uint8Array | undefined {
    this.#batch ??= this.#takeBatch()
    if (!this.#batch || this.#batch.length <= pieceBytes * 2) {
      const whole = this.#batch
      this.#batch = undefined
      return whole
    }
    const piece = this.#batch.subarray(0, pieceBytes)
    this.#batch = this.#batch.subarray(pieceBytes)
    return piece
  }

  /** As many of the oldest frames as fill a piece, or the one that is longer. */
  #takeBatch(): Uint8Array | undefined {
    if (this.#frames.length === 0) return undefined
    let count = 0
    let size = 0
    while (count < this.#frames.length && size < pieceBytes)
      size += frameHeaderBytes + (this.#frames[count++]?.length ?? 0)
    const batch = Buffer.allocUnsafe(size)
    let at = 0
    for (const { text, length, isEvent } of this.#frames.splice(0, count)) {
      at = batch.writeInt32LE(length, at)
      at += batch.write(text, at)
      if (isEvent) this.#eventBytes -= frameHeaderBytes + length
    }
    return batch
  }
}
