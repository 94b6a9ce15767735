import type { Socket } from 'node:net'
import {
  encodeFrames,
  type FrameText,
  frameHeaderBytes,
  maxReplyFrameBytes,
} from '@service-link/protocol-core'
import type { PipeParts } from './pipe-parts.ts'

interface OutboxOptions extends Pick<PipeParts, 'limits' | 'unsent'> {
  /** Called when too many bytes wait to read further requests of the client, and when that is over. */
  onFull(isFull: boolean): void
}

interface Frame extends FrameText {
  readonly isEvent: boolean
}

/** About how many bytes go into one write. Each finished write shows that a slow client still reads. */
const pieceBytes = 64 * 1024

/**
 * The frames that wait to be sent on one connection. All frames of one turn travel in one write. A client that does not read,
 * or leaves too many events unread, loses the connection. A long reply without room is refused.
 */
export class Outbox implements Disposable {
  readonly #socket: Socket
  readonly #options: OutboxOptions
  #frames: Frame[] = []
  /** Bytes of the events among the frames. */
  #eventBytes = 0
  /** Bytes of frames that the socket has not taken yet. */
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
   * Adds one frame. Ends the connection if too many events wait then. Short replies always have room: there are no more of them
   * than requests in flight. Returns whether it was added, or why not: it is longer than a frame may be, or there is no room.
   */
  add(text: string, isEvent = false): 'added' | 'too-long' | 'no-room' {
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
    const { limits, unsent } = this.#options
    const unsentBytes = this.#unsentBytes + length
    if (unsentBytes <= limits.fullAtUnsentBytes) return true
    return unsentBytes <= limits.maxUnsentBytes && unsent.byteCount + length <= limits.maxUnsentBytesInAll
  }

  #change(byteCount: number): void {
    const { limits, unsent } = this.#options
    const share = () => Math.max(0, this.#unsentBytes - limits.fullAtUnsentBytes)
    const before = share()
    this.#unsentBytes += byteCount
    unsent.byteCount += share() - before
  }

  /** Ends the connection when all frames are written. The client then has its time to read to end its side. */
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
    const piece = this.#nextPiece()
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
    // A disposed outbox counts nothing any more.
    this.#change(-Math.min(byteCount, this.#unsentBytes))
    clearTimeout(this.#limit)
    if (this.#isFull && this.#unsentBytes <= this.#options.limits.fullAtUnsentBytes) this.#setFull(false)
    this.#flush()
  }

  #restartLimit(): void {
    clearTimeout(this.#limit)
    this.#limit = setTimeout(() => this.#socket.destroy(), this.#options.limits.unreadLimitMs)
  }

  #nextPiece(): Uint8Array | undefined {
    this.#batch ??= this.#nextBatch()
    if (!this.#batch || this.#batch.length <= pieceBytes * 2) {
      const whole = this.#batch
      this.#batch = undefined
      return whole
    }
    const piece = this.#batch.subarray(0, pieceBytes)
    this.#batch = this.#batch.subarray(pieceBytes)
    return piece
  }

  /** Joins the oldest frames that fill a piece, or takes one longer frame. */
  #nextBatch(): Uint8Array | undefined {
    if (this.#frames.length === 0) return undefined
    let count = 0
    let size = 0
    while (count < this.#frames.length && size < pieceBytes)
      size += frameHeaderBytes + (this.#frames[count++]?.length ?? 0)
    const batch = this.#frames.splice(0, count)
    for (const { length, isEvent } of batch) if (isEvent) this.#eventBytes -= frameHeaderBytes + length
    return encodeFrames(batch)
  }
}
