/** What one client, or all of them together, may ask of the pipe; what is beyond it hurts nobody but who sent it. */
export interface PipeLimits {
  /** Most clients at a time. One more is told `ERR_BUSY` and let go. */
  readonly maxConnections: number
  /** Most requests in flight on one connection in session mode. One more fails with `ERR_BUSY`; nothing is done. */
  readonly maxInFlight: number
  /** Most requests of one client that are looked at before the others have their turn. */
  readonly requestsPerTurn: number
  /** How long a client may take to send its first frame whole, and in session mode each frame that it has begun, in milliseconds. */
  readonly silenceLimitMs: number
  /** How long a client may take to read what is sent to it, in session mode without reading anything, in milliseconds. */
  readonly unreadLimitMs: number
  /** Above it, in bytes, nothing further is read from a client in session mode until it has read what was sent to it. */
  readonly maxUnsentBytes: number
  /** Most bytes of events that wait for a client that does not read; above it, its connection is ended. */
  readonly maxUnreadEventBytes: number
  /** Longest wait for clients to read the last answers when the server closes, in milliseconds. */
  readonly lastAnswersMs: number
}

/** The limits of every wrapper (design: pipe protocol); tests have shorter ones. */
export const defaultPipeLimits: PipeLimits = {
  // A program keeps one connection; a thousand is a terminal server's worth, and far below what a process may open.
  maxConnections: 1000,
  // The web app carries out one thing after the other: more in flight would only wait there instead of here.
  maxInFlight: 64,
  // Far above what a client that heeds the limit sends at once, so that one that does not is told; looked at in less than a millisecond.
  requestsPerTurn: 256,
  // As long as the web app has for a command: a program that is stopped in a debugger is no fault.
  silenceLimitMs: 30_000,
  unreadLimitMs: 30_000,
  // Many replies of a list of users, and with a thousand such clients still less than the machine has.
  maxUnsentBytes: 1024 * 1024,
  // Some thousand events, many hours of work: nobody reads this connection any more.
  maxUnreadEventBytes: 1024 * 1024,
  // The wrapper's exit is seen by its user.
  lastAnswersMs: 2000,
}
