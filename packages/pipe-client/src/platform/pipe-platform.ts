/** A process, and where it is connected to. */
export interface ListedPipe {
  readonly pid: number
  readonly address: string
}

/**
 * What a connection that broke outside of a reply tells: the other end had not read all of the request, so that nothing was done; it
 * ended the connection as it does after a command without a reply, see {@link PipePlatform.tellsUnread}; or neither.
 */
export type BreakMeaning = 'unread' | 'ended' | 'unknown'

/** What differs between operating systems in a connection of the classic mode. */
export interface PipePlatform {
  /** Whether the operating system itself waits until a pipe has room for a connection; else it connects or fails at once. */
  readonly canConnectingTakeTime: boolean
  /** What an error of a connection that was made means, as long as no part of a reply has come. */
  meaningOfBreak(error: NodeJS.ErrnoException): BreakMeaning
  /**
   * Whether a connection that ends with a request unread always breaks by an error. Else its end does not tell whether the server has
   * read the request, or has died before.
   */
  readonly tellsUnread: boolean
  /**
   * Makes sure that what is at an address is this user's own pipe.
   *
   * @returns what tells it from a pipe that is put there later, where the system tells; nothing when nothing is there
   * @throws {PipeDeniedError} when it is another user's, or not a pipe
   */
  identifyOwn(address: string): string | undefined
}
