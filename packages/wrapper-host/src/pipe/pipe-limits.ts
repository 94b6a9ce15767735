/** What one client, or all of them together, may ask of the pipe; what is beyond it hurts nobody but who sent it. */
export interface PipeLimits {
  /** Most clients at a time. One more takes the place of one that has sent nothing; one of the two is told `ERR_BUSY` and let go. */
  readonly maxConnections: number
  /** Most requests in flight on one connection in session mode. One more fails with `ERR_BUSY`; nothing is done. */
  readonly maxInFlight: number
  /** Most requests of one connection that were given up and are still at work in the page. Above it all fail with `ERR_BUSY`. */
  readonly maxGivenUp: number
  /** Most bytes of bodies of requests in flight on one connection. A request beyond it fails with `ERR_BUSY`; nothing is done. */
  readonly maxInFlightBytes: number
  /** The same for all connections together, of both modes, the first {@link bytesPerTurn} of each left out. */
  readonly maxInFlightBytesInAll: number
  /** Most requests of one client that are looked at before the others have their turn. */
  readonly requestsPerTurn: number
  /** Most bytes of them. A body that is longer waits for a turn that all connections share. */
  readonly bytesPerTurn: number
  /** How long a client may take to send its first frame whole, and in session mode each frame that it has begun, in milliseconds. */
  readonly silenceLimitMs: number
  /** How long a client may take to read what is sent to it, in session mode without reading anything, in milliseconds. */
  readonly unreadLimitMs: number
  /** Above it, in bytes, nothing is read from a client in session mode until it has read what was sent to it. */
  readonly fullAtUnsentBytes: number
  /** Most bytes that wait for a client in session mode. A list beyond it fails with `ERR_BUSY` in place of its reply. */
  readonly maxUnsentBytes: number
  /** The same for all clients together, the first {@link fullAtUnsentBytes} of each left out. */
  readonly maxUnsentBytesInAll: number
  /** Most bytes of events that wait for a client that does not read; above it, its connection is ended. */
  readonly maxUnreadEventBytes: number
  /** Longest wait for clients to read the last answers when the server closes, in milliseconds. */
  readonly lastAnswersMs: number
}

const mebibyte = 1024 * 1024

/** The limits of every wrapper (design: pipe protocol); tests have shorter ones. */
export const defaultPipeLimits: PipeLimits = {
  // A program keeps one connection; a thousand is a terminal server's worth, and far below what a process may open.
  maxConnections: 1000,
  // The web app carries out one thing after the other: more in flight would only wait there instead of here.
  maxInFlight: 64,
  // A client that heeds the limit may give all up at once and ask anew; one that does so again and again is held back.
  maxGivenUp: 64,
  // Four of the longest requests, a thousand ordinary ones. What a request holds once it is read may be fifteen times its body.
  maxInFlightBytes: 4 * mebibyte,
  // Fifteen times as much still fits into what Electron's main process may have.
  maxInFlightBytesInAll: 64 * mebibyte,
  // Far above what a client that heeds the limit sends at once, so that one that does not is told; looked at in less than a millisecond.
  requestsPerTurn: 256,
  // What one read of a pipe brings. A longer body may take a hundred milliseconds to look at.
  bytesPerTurn: 64 * 1024,
  // As long as the web app has for a command: a program that is stopped in a debugger is no fault.
  silenceLimitMs: 30_000,
  unreadLimitMs: 30_000,
  // Many replies of a list of users.
  fullAtUnsentBytes: mebibyte,
  // Four of the longest replies: a client that reads while it asks never comes near.
  maxUnsentBytes: 64 * mebibyte,
  // Still fits into what Electron's main process may have, also as text.
  maxUnsentBytesInAll: 256 * mebibyte,
  // Some thousand events, many hours of work: nobody reads this connection any more.
  maxUnreadEventBytes: mebibyte,
  // The wrapper's exit is seen by its user.
  lastAnswersMs: 2000,
}
