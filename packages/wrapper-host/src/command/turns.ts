/** Whose a piece of work is, and how it stands to others. */
export interface TurnOptions {
  /** Whose it is; any object. */
  readonly client: object
  /** Whether all that was added before comes before it, and all that is added later, after it, whosever it is. */
  readonly isAlone?: boolean
}

interface Round<Piece> {
  readonly isAlone: boolean
  /** The next to have a turn first. */
  readonly queues: Map<object, Set<Piece>>
}

/**
 * What waits, in the order in which it is to be done: clients take turns, so that one that has much to be done delays the others by
 * one piece at a time. Of one client's pieces the one that was added first is first.
 */
export class Turns<Piece> {
  readonly #rounds: Round<Piece>[] = []
  /** Who had the last turn. */
  #served: object | undefined

  /**
   * Adds a piece.
   *
   * @returns removes it again, when it still waits
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

  /** Takes out the piece whose turn it is; `undefined` when nothing waits. Call it when the one before is done. */
  take(): Piece | undefined {
    while (this.#rounds[0]?.queues.size === 0) this.#rounds.shift()
    const queues = this.#rounds[0]?.queues ?? new Map<object, Set<Piece>>()
    // Whoever had the last turn is put behind the others.
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
