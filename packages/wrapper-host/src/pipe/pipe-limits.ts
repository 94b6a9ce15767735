/** Limits of the pipe for one client and for all together. A client above a limit harms only itself. */
export interface PipeLimits {
  /** Most clients at a time. One more replaces a client that has sent nothing. Without such a client it gets `ERR_BUSY`. */
  readonly maxConnections: number
  /** Most requests in flight on one connection in session mode. One more fails with `ERR_BUSY`; nothing is done. */
  readonly maxInFlight: number
  /** Most cancelled requests of one connection that are still at work in the page. Above it all fail with `ERR_BUSY`. */
  readonly maxGivenUp: number
  /** Most bytes of bodies of requests in flight on one connection. A request beyond it fails with `ERR_BUSY`; nothing is done. */
  readonly maxInFlightBytes: number
  /** The same for all connections of both modes together. The first {@link bytesPerTurn} of each do not count. */
  readonly maxInFlightBytesInAll: number
  /** Most requests of one client that are parsed before the others have their turn. */
  readonly requestsPerTurn: number
  /** Most bytes of these requests. A longer body waits for a turn that all connections share. */
  readonly bytesPerTurn: number
  /** Longest time to send the first frame, and in session mode to finish any frame, in milliseconds. */
  readonly silenceLimitMs: number
  /** Longest time for a client to read its reply, and in session mode to read anything, in milliseconds. */
  readonly unreadLimitMs: number
  /** Above these unsent bytes the wrapper reads no further requests of a client in session mode. */
  readonly fullAtUnsentBytes: number
  /** Most bytes that wait for a client in session mode. A list beyond it fails with `ERR_BUSY` in place of its reply. */
  readonly maxUnsentBytes: number
  /** The same for all clients together. The first {@link fullAtUnsentBytes} of each do not count. */
  readonly maxUnsentBytesInAll: number
  /** Most bytes of events that wait for a client. Above it the connection ends. */
  readonly maxUnreadEventBytes: number
  /** Longest wait for clients to read the last answers when the server closes, in milliseconds. */
  readonly lastAnswersMs: number
}

const mebibyte = 1024 * 1024

/** The limits of every wrapper (design: pipe protocol). Tests use shorter ones. */
export const defaultPipeLimits: PipeLimits = {
  // A program keeps one connection. A thousand are enough for a terminal server, and a process may open far more files.
  maxConnections: 1000,
  // The web app carries out one thing after the other: more in flight would only wait there instead of here.
  maxInFlight: 64,
  // A client may cancel all its requests once and ask again. Doing so over and over is held back.
  maxGivenUp: 64,
  // Four of the longest requests, or a thousand ordinary ones. A parsed request may need fifteen times its body.
  maxInFlightBytes: 4 * mebibyte,
  // Fifteen times as much still fits into the memory of Electron's main process.
  maxInFlightBytesInAll: 64 * mebibyte,
  // Far above a client's limit, so that a greedy client gets its error. Parsed in less than a millisecond.
  requestsPerTurn: 256,
  // The bytes of one read. A longer body may take a hundred milliseconds to parse.
  bytesPerTurn: 64 * 1024,
  // The same as for the web app: a program may be stopped in a debugger.
  silenceLimitMs: 30_000,
  unreadLimitMs: 30_000,
  // Many lists of users.
  fullAtUnsentBytes: mebibyte,
  // Four of the longest replies. A client that reads while it asks never comes near.
  maxUnsentBytes: 64 * mebibyte,
  // Fits into the memory of Electron's main process, also as text.
  maxUnsentBytesInAll: 256 * mebibyte,
  // Some thousand events, many hours of work: the client does not read any more.
  maxUnreadEventBytes: mebibyte,
  // The user waits for the exit.
  lastAnswersMs: 2000,
}
