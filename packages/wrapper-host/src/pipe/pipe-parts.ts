import { type ArgsIssue, BusyError, type HelloReply } from '@service-link/protocol-core'
import type { CommandRunner } from '../command/command-runner.ts'
import type { ConnectionExchanges, DebugLog } from '../log/exchange-log.ts'
import type { StatusKeeper } from '../web-app/status-keeper.ts'

const mebibyte = 1024 * 1024

/**
 * Limits of the pipe for one client and for all together (design: pipe protocol). A client above a limit harms only itself. Tests
 * use shorter ones.
 */
export const defaultPipeLimits = {
  /** Most clients at a time. One more replaces a client that has sent nothing. Without such a client it gets `ERR_BUSY`. */
  maxConnections: 1000,
  /** Most requests in flight on one connection in session mode. One more fails with `ERR_BUSY`; nothing is done. */
  maxInFlight: 64,
  /** Most canceled requests of one connection that are still at work in the page. Above it all fail with `ERR_BUSY`. */
  maxGivenUp: 64,
  /**
   * Most bytes of bodies of requests in flight on one connection: four of the longest requests. A request beyond it fails with
   * `ERR_BUSY`. A parsed request may need fifteen times its body.
   */
  maxInFlightBytes: 4 * mebibyte,
  /** The same for all connections of both modes together. The first {@link bytesPerTurn} of each do not count. */
  maxInFlightBytesInAll: 64 * mebibyte,
  /** Most requests of one client that are parsed before the others have their turn. */
  requestsPerTurn: 256,
  /** Most bytes of these requests: one read. A longer body has a turn for itself. */
  bytesPerTurn: 64 * 1024,
  /** Longest time to send the first frame, and in session mode to finish any frame, in milliseconds. */
  silenceLimitMs: 30_000,
  /** Longest time for a client to read its reply, and in session mode to read anything, in milliseconds. */
  unreadLimitMs: 30_000,
  /** Above these unsent bytes the wrapper reads no further requests of a client in session mode. */
  fullAtUnsentBytes: mebibyte,
  /** Most bytes that wait for a client in session mode. A list beyond it fails with `ERR_BUSY` in place of its reply. */
  maxUnsentBytes: 64 * mebibyte,
  /** The same for all clients together. The first {@link fullAtUnsentBytes} of each do not count. */
  maxUnsentBytesInAll: 256 * mebibyte,
  /** Most bytes of events that wait for a client. Above it the connection ends. */
  maxUnreadEventBytes: mebibyte,
  /** Longest wait for clients to read the last answers when the server closes, in milliseconds. */
  lastAnswersMs: 2000,
}

export type PipeLimits = Readonly<typeof defaultPipeLimits>

/** Everything that the connections of one server share. */
export interface PipeParts {
  readonly runner: Pick<CommandRunner, 'begin' | 'runOwn' | 'throwIfClosing'>
  /** BCP 47 tag for dates that are not ISO 8601. */
  readonly culture: string | undefined
  /** Gets each field of a request that cannot be read, and is left out. Default: nobody. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /** Gets each date of a request whose order only the culture told. Default: nobody. */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
  readonly limits: PipeLimits
  readonly hello: HelloReply
  /** Status and events for clients in session mode. */
  readonly statusKeeper: Pick<StatusKeeper, 'status' | 'on'>
  readonly log?: DebugLog | undefined
  readonly bodyBytes: BodyBytes
  /** Bytes that wait in all outboxes. The first bytes of each outbox do not count. */
  readonly unsent: { byteCount: number }
}

export interface ConnectionParts extends PipeParts {
  frames?: ConnectionExchanges
}

/** Counts the bytes of bodies whose requests are in flight, of all connections of one server. */
export class BodyBytes {
  readonly #limits: PipeLimits
  #inAll = 0

  constructor(limits: PipeLimits) {
    this.#limits = limits
  }

  /** Makes the counter of one more connection. */
  ofConnection() {
    const { maxInFlightBytes, maxInFlightBytesInAll, bytesPerTurn } = this.#limits
    let own = 0
    // Each connection has its first bytes for itself, so other clients cannot keep ordinary requests out.
    const share = () => Math.max(0, own - bytesPerTurn)
    const change = (byteCount: number) => {
      const before = share()
      own += byteCount
      this.#inAll += share() - before
    }
    return {
      /** Counts a body until `giveBack`, or throws `BusyError`. */
      receive: (byteCount: number) => {
        if (own + byteCount > maxInFlightBytes)
          throw new BusyError('The requests of this connection that are in flight are too large together.')
        change(byteCount)
        if (this.#inAll <= maxInFlightBytesInAll || share() === 0) return
        change(-byteCount)
        throw new BusyError('The requests of all programs that are in flight are too large together.')
      },
      giveBack: (byteCount: number) => change(-byteCount),
    }
  }
}
