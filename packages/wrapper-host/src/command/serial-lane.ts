import { ClosingError } from '@service-link/protocol-core/errors'

/** Options of {@link SerialLane.add}. */
export interface LaneOptions extends Partial<TurnOptions> {
  /** Gives up a piece that has not begun. A piece that has begun must observe the signal itself. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs pieces of work one after the other: a launch, or a pipe command that changes the view. Clients take turns; the pieces of one
 * client run in the order in which they were added.
 */
export class SerialLane {
  readonly #waiting = new Turns<() => Promise<void>>()
  readonly #closing = new AbortController()
  #isRunning = false

  /** Aborts when the lane is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /**
   * Adds a piece of work. Without a client it has one of its own.
   *
   * @throws {ClosingError} when the lane is closed before the piece begins
   */
  add<Result>(
    work: () => Promise<Result>,
    { signal, client = {}, isAlone = false }: LaneOptions = {},
  ): Promise<Result> {
    const limit = signal ? AbortSignal.any([this.signal, signal]) : this.signal
    if (limit.aborted) return Promise.reject(limit.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const piece = async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
      limit.removeEventListener('abort', giveUp)
    }
    const leave = this.#waiting.add(piece, { client, isAlone })
    const giveUp = () => {
      leave()
      reject(limit.reason)
    }
    limit.addEventListener('abort', giveUp, { once: true })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /** Begins no further piece. Waiting ones fail with {@link ClosingError}. */
  close(): void {
    this.#closing.abort(new ClosingError())
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // A piece never begins during `add`.
    await undefined
    for (let piece = this.#waiting.take(); piece; piece = this.#waiting.take()) await piece()
    this.#isRunning = false
  }
}

/** Place of a piece of work among others. */
export interface TurnOptions {
  /** Any object that stands for the client. */
  readonly client: object
  /** Whether no other piece may change places with it, of any client. */
  readonly isAlone?: boolean
}

interface Round<Piece> {
  readonly isAlone: boolean
  /** The first has the next turn. */
  readonly queues: Map<object, Set<Piece>>
}

/**
 * Pieces that wait. Clients take turns, so that a client with many pieces delays another by one. The pieces of one client keep their
 * order.
 */
export class Turns<Piece> {
  readonly #rounds: Round<Piece>[] = []
  /** Client of the last turn. */
  #served: object | undefined

  /**
   * Adds a piece.
   *
   * @returns removes the piece if it still waits
   */
  add(piece: Piece, { client, isAlone = false }: TurnOptions): () => void {
    let round = this.#rounds.at(-1)
    if (!round || isAlone || round.isAlone) {
      round = { isAlone, queues: new Map() }
      this.#rounds.push(round)
    }
    const { queues } = round
    const pieces = queues.get(client) ?? new Set()
    queues.set(client, pieces.add(piece))
    return () => {
      pieces.delete(piece)
      if (pieces.size === 0 && queues.get(client) === pieces) queues.delete(client)
    }
  }

  /** Takes out the next piece; `undefined` when none waits. Call it when the former one is done. */
  take(): Piece | undefined {
    while (this.#rounds[0]?.queues.size === 0) this.#rounds.shift()
    const queues = this.#rounds[0]?.queues ?? new Map<object, Set<Piece>>()
    // The client of the last turn goes behind the others.
    const rest = this.#served && queues.get(this.#served)
    if (this.#served && rest) {
      queues.delete(this.#served)
      queues.set(this.#served, rest)
    }
    const [client, pieces] = queues.entries().next().value ?? []
    this.#served = client
    for (const piece of pieces ?? []) {
      pieces?.delete(piece)
      if (client && pieces?.size === 0) queues.delete(client)
      return piece
    }
    return undefined
  }
}
