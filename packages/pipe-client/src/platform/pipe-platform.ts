import type { Brand } from '@service-link/protocol-core/brand'
import type { ProgramBounds } from './run-program.ts'

/** A pipe whose name is that of a wrapper's. */
export interface ListedPipe {
  readonly pid: number
  readonly address: string
}

/**
 * What a connection that broke outside of a reply tells: the other end had not read all of the request, so that nothing was done; it
 * ended the connection as it does after a command without a reply, see {@link PipePlatform.tellsUnread}; or neither.
 */
export type BreakMeaning = 'unread' | 'ended' | 'unknown'

/** What differs between operating systems in finding a pipe. */
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
  /** Whether {@link PipePlatform.identifyOwn} finds out whose pipe it is; else a wrapper is asked for proof. */
  readonly tellsOwner: boolean
  /** Where the pipe of a process is opened. */
  addressOf(brand: Brand, pid: number): string
  /**
   * Lists the pipes of this brand that this user may trust; whether anyone serves them is not known yet.
   *
   * @throws {PipeDeniedError} when this user may not list pipes
   */
  listPipes(brand: Brand): Promise<readonly ListedPipe[]>
  /**
   * Makes sure that what is at an address is this user's own pipe.
   *
   * @returns what tells it from a pipe that is put there later, where the system tells; nothing when nothing is there
   * @throws {PipeDeniedError} when it is another user's, or not a pipe
   */
  identifyOwn(address: string): string | undefined
  /**
   * What tells the login session of a process from this user's others; empty for a process that has none.
   *
   * @param pids as many as there are: the operating system is asked once
   * @returns for each process; without those of which it cannot be told, such as one that has ended, or any when the time is over or
   *   the signal is aborted
   */
  readonly loginSessionsOf: (
    pids: readonly number[],
    bounds?: ProgramBounds,
  ) => Promise<ReadonlyMap<number, string>>
}
