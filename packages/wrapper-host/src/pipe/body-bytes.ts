import { BusyError } from '@service-link/protocol-core'
import type { PipeLimits } from './pipe-limits.ts'

/** The bytes of bodies whose requests are in flight, of all connections of one server. */
export class BodyBytes {
  readonly #limits: Pick<PipeLimits, 'maxInFlightBytes' | 'maxInFlightBytesInAll'>
  #inAll = 0

  constructor(limits: Pick<PipeLimits, 'maxInFlightBytes' | 'maxInFlightBytesInAll'>) {
    this.#limits = limits
  }

  /** Counts for one more connection. */
  ofConnection(): ConnectionBodyBytes {
    const { maxInFlightBytes, maxInFlightBytesInAll } = this.#limits
    let own = 0
    return {
      take: byteCount => {
        if (own + byteCount > maxInFlightBytes)
          throw new BusyError('The requests of this connection that are in flight are too large together.')
        if (this.#inAll + byteCount > maxInFlightBytesInAll)
          throw new BusyError('The requests of all programs that are in flight are too large together.')
        own += byteCount
        this.#inAll += byteCount
      },
      giveBack: byteCount => {
        own -= byteCount
        this.#inAll -= byteCount
      },
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
