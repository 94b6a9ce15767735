import type { Socket } from 'node:net'
import { type FrameDecoder, FrameError } from '@service-link/protocol-core'
import type { PipeParts } from './pipe-parts.ts'

interface ConnectionInputOptions extends Pick<PipeParts, 'limits'> {
  onBody(body: Uint8Array): void
  /** Called once, after the last body. With an error, and perhaps the bytes at fault, if the client cannot be read on. */
  onEnd(error?: unknown, bytes?: Uint8Array): void
}

/** Cuts the bytes of one connection into bodies. If a client sends more than its share, the others have their turn first. */
export class ConnectionInput implements Disposable {
  readonly #socket: Socket
  readonly #decoder: FrameDecoder
  readonly #options: ConnectionInputOptions
  #bodies: readonly Uint8Array[] = []
  #nextIndex = 0
  #isHeld = false
  #isReading = true
  /** Whether the client has ended its side. */
  #isAtEnd = false
  #isOver = false
  #turn: NodeJS.Immediate | undefined
  #frameLimit: NodeJS.Timeout | undefined

  /** @param decoder has the stream so far */
  constructor(socket: Socket, decoder: FrameDecoder, options: ConnectionInputOptions) {
    this.#socket = socket
    this.#decoder = decoder
    this.#options = options
    socket.on('data', this.#onData).on('end', this.#onEnd)
  }

  /** Begins with the bodies that came before. */
  begin(bodies: readonly Uint8Array[]): void {
    this.#bodies = bodies
    this.#isAtEnd = this.#socket.readableEnded
    this.#runTurn()
  }

  /** While it is held, it gives out and reads nothing. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    if (!this.#isOver) this.#follow()
  }

  /** Gives out all bodies that came, also while it is held. */
  giveOutRest(): void {
    while (this.isWaiting) this.#giveOut()
  }

  /** Gives out nothing more. Reads on, and drops the bytes, so that the end of the client is seen. */
  [Symbol.dispose](): void {
    if (this.#isOver) return
    this.#isOver = true
    clearImmediate(this.#turn)
    clearTimeout(this.#frameLimit)
    this.#bodies = []
    this.#nextIndex = 0
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).resume()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    try {
      const bodies = this.#decoder.push(chunk)
      if (bodies.length > 0) this.#stopFrameLimit()
      this.#bodies = bodies
      this.#nextIndex = 0
    } catch (error) {
      this.#end(error, chunk)
      return
    }
    this.#runTurn()
  }

  readonly #onEnd = (): void => {
    this.#isAtEnd = true
    if (!this.isWaiting) this.#endStream()
  }

  #endStream(): void {
    try {
      this.#decoder.end()
      this.#end()
    } catch (error) {
      this.#end(error)
    }
  }

  readonly #runTurn = (): void => {
    this.#turn = undefined
    const { requestsPerTurn, bytesPerTurn } = this.#options.limits
    let bytesLeft = bytesPerTurn
    for (let count = 0; count < requestsPerTurn && !this.#isHeld; count++) {
      const length = this.#bodies[this.#nextIndex]?.length
      // A longer body has a turn for itself.
      if (length === undefined || (length > bytesLeft && count > 0)) break
      bytesLeft -= length
      this.#giveOut()
    }
    this.#goOn()
  }

  #giveOut(): void {
    const body = this.#bodies[this.#nextIndex++]
    if (body) this.#options.onBody(body)
  }

  #goOn(): void {
    if (this.#isOver) return
    if (!this.isWaiting && (this.#isAtEnd || this.#decoder.failure)) this.#endStream()
    else this.#follow()
  }

  /** Whether a whole body waits for its turn. */
  get isWaiting(): boolean {
    return this.#nextIndex < this.#bodies.length
  }

  #follow(): void {
    if (this.isWaiting && !this.#isHeld) this.#turn ??= setImmediate(this.#runTurn)
    const isReading = !this.isWaiting && !this.#isHeld
    if (isReading !== this.#isReading) {
      this.#isReading = isReading
      // A client cannot finish its frame while nothing is read.
      this.#stopFrameLimit()
      if (isReading) this.#socket.resume()
      else this.#socket.pause()
    }
    if (isReading && this.#decoder.isInsideFrame) this.#frameLimit ??= this.#limitFrame()
  }

  #limitFrame(): NodeJS.Timeout {
    const { silenceLimitMs } = this.#options.limits
    const expire = () => this.#end(new FrameError(`A frame was not complete after ${silenceLimitMs} ms.`))
    return setTimeout(expire, silenceLimitMs)
  }

  #stopFrameLimit(): void {
    clearTimeout(this.#frameLimit)
    this.#frameLimit = undefined
  }

  #end(error?: unknown, bytes?: Uint8Array): void {
    if (this.#isOver) return
    this[Symbol.dispose]()
    this.#options.onEnd(error, bytes)
  }
}
