import { BusyError } from '@service-link/protocol-core'
import type { PipeLimits } from './pipe-limits.ts'

type BodyLimits = Pick<PipeLimits, 'maxInFlightBytes' | 'maxInFlightBytesInAll' | 'bytesPerTurn'>

/** The bytes of bodies whose requests are in flight, of all connections of one server. */
export class BodyBytes {
  readonly #limits: BodyLimits
  #inAll = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** Counts for one more connection. */
  ofConnection(): ConnectionBodyBytes {
    const { maxInFlightBytes, maxInFlightBytesInAll, bytesPerTurn } = this.#limits
    let own = 0
    // Ordinary requests never meet the bound for all, whatever others have in flight.
    const share = () => Math.max(0, own - bytesPerTurn)
    const change = (byteCount: number) => {
      const before = share()
      own += byteCount
      this.#inAll += share() - before
    }
    return {
      take: byteCount => {
        if (own + byteCount > maxInFlightBytes)
          throw new BusyError('The requests of this connection that are in flight are too large together.')
        change(byteCount)
        if (this.#inAll <= maxInFlightBytesInAll || share() === 0) return
        change(-byteCount)
        throw new BusyError('The requests of all programs that are in flight are too large together.')
      },
      giveBack: byteCount => change(-byteCount),
    }
  }
}

/** Those of one connection. */
export interface ConnectionBodyBytes {
  /**
   * Counts a body until {@link giveBack}.
   *
   * @throws {BusyError} when there were too many then, of this connection or of all; it is not counted
   */
  take(byteCount: number): void
  giveBack(byteCount: number): void
}
