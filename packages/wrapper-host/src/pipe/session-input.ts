import type { Socket } from 'node:net'
import { type FrameDecoder, FrameError } from '@service-link/protocol-core'

/** Options of {@link SessionInput}. */
export interface SessionInputOptions {
  /** How long a client may take for a frame that it has begun, in milliseconds. */
  readonly silenceLimitMs: number
  /** Most bodies that are given out in one turn of the event loop. */
  readonly requestsPerTurn: number
  /** Told of each body, in order. */
  onBody(body: Uint8Array): void
  /** Nothing further comes: the client has ended its side or, with an error, what it sends cannot be read on. */
  onEnd(error?: unknown): void
}

/**
 * What comes in on one connection in session mode, cut into bodies. Of a client that sends more than its share nothing is read until
 * the others have had their turn.
 */
export class SessionInput implements Disposable {
  readonly #socket: Socket
  readonly #decoder: FrameDecoder
  readonly #options: SessionInputOptions
  #bodies: readonly Uint8Array[] = []
  #taken = 0
  #isHeld = false
  #isReading = true
  /** Whether the client has ended its side, which is seen also while nothing is read. */
  #isAtEnd = false
  #isOver = false
  #turn: NodeJS.Immediate | undefined
  #frameLimit: NodeJS.Timeout | undefined

  /** @param decoder has the stream so far */
  constructor(socket: Socket, decoder: FrameDecoder, options: SessionInputOptions) {
    this.#socket = socket
    this.#decoder = decoder
    this.#options = options
    socket.on('data', this.#onData).on('end', this.#onEnd)
  }

  /** Begins, with the bodies that came before. */
  begin(bodies: readonly Uint8Array[]): void {
    this.#bodies = bodies
    this.#takeTurn()
  }

  /** Gives nothing out and reads nothing for as long as it is held. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (!this.#isOver) this.#follow()
  }

  /** Gives nothing further out. What still comes is thrown away, so that the client's own end is seen. */
  [Symbol.dispose](): void {
    if (this.#isOver) return
    this.#isOver = true
    clearImmediate(this.#turn)
    clearTimeout(this.#frameLimit)
    this.#bodies = []
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).resume()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    try {
      const bodies = this.#decoder.push(chunk)
      if (bodies.length > 0) this.#stopFrameLimit()
      this.#bodies = bodies
      this.#taken = 0
    } catch (error) {
      this.#end(error)
      return
    }
    this.#takeTurn()
  }

  readonly #onEnd = (): void => {
    this.#isAtEnd = true
    if (!this.#isWaiting) this.#endStream()
  }

  #endStream(): void {
    try {
      this.#decoder.end()
      this.#end()
    } catch (error) {
      this.#end(error)
    }
  }

  readonly #takeTurn = (): void => {
    this.#turn = undefined
    const end = this.#taken + this.#options.requestsPerTurn
    while (this.#taken < end && !this.#isHeld) {
      const body = this.#bodies[this.#taken]
      if (!body) break
      this.#taken++
      this.#options.onBody(body)
    }
    if (this.#isOver) return
    if (!this.#isWaiting && (this.#isAtEnd || this.#decoder.failure)) this.#endStream()
    else this.#follow()
  }

  /** Whether bodies wait for another turn. */
  get #isWaiting(): boolean {
    return this.#taken < this.#bodies.length
  }

  #follow(): void {
    if (this.#isWaiting && !this.#isHeld) this.#turn ??= setImmediate(this.#takeTurn)
    const isReading = !this.#isWaiting && !this.#isHeld
    if (isReading !== this.#isReading) {
      this.#isReading = isReading
      // A client from which nothing is read cannot finish its frame.
      this.#stopFrameLimit()
      if (isReading) this.#socket.resume()
      else this.#socket.pause()
    }
    if (isReading && this.#decoder.isInsideFrame) this.#frameLimit ??= this.#limitFrame()
  }

  #limitFrame(): NodeJS.Timeout {
    const { silenceLimitMs } = this.#options
    const expire = () => this.#end(new FrameError(`A frame was not complete after ${silenceLimitMs} ms.`))
    return setTimeout(expire, silenceLimitMs)
  }

  #stopFrameLimit(): void {
    clearTimeout(this.#frameLimit)
    this.#frameLimit = undefined
  }

  #end(error?: unknown): void {
    if (this.#isOver) return
    this[Symbol.dispose]()
    this.#options.onEnd(error)
  }
}
