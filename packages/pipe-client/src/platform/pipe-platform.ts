import type { Brand } from '@service-link/protocol-core/brand'

/** Place of an installed wrapper. An update may change it: ask again each time. */
export interface InstalledWrapper {
  /** Absolute path of the wrapper's folder. */
  readonly path: string
  /** Version that was started last, four numbers; nothing if the wrapper did not note one. */
  readonly version: string | undefined
  /** Absolute path of the executable, then arguments that come before those of a launch. */
  readonly command: readonly string[]
}

/**
 * Meaning of a connection that broke outside of a reply: `unread`, the wrapper had not read all of the request, and did
 * nothing; `ended`, the wrapper ended it as after a command without a reply; else `unknown`.
 */
type BreakMeaning = 'unread' | 'ended' | 'unknown'

/** The differences between operating systems. */
export interface PipePlatform {
  /** Says what the error of a connection means before any part of a reply has come. */
  meaningOfBreak(error: NodeJS.ErrnoException): BreakMeaning
  /**
   * Whether a connection with an unread request always breaks by an error. Otherwise its end does not tell whether the
   * wrapper read the request, or ended before.
   */
  readonly tellsUnread: boolean
  /**
   * Checks that the pipe at an address is this user's.
   *
   * @returns a text that differs for a pipe put there later, if the system tells; nothing if there is no pipe
   */
  identifyOwn(address: string): string | undefined
  /**
   * Ends a process that leads a group of its own, with all that it has started in this group: asks first where the system
   * can, then uses force. Takes a few seconds at most.
   *
   * @returns whether all of it is known to have ended
   */
  endTree(pid: number, ended: Promise<unknown>): Promise<boolean>
  /**
   * Reads the places of the wrapper from the registry: this user's first, then the machine's. They may be out of date.
   *
   * @returns none if there is no registry, no entry, or no way to read it
   */
  readRegistered(brand: Brand): Promise<readonly InstalledWrapper[]>
  /**
   * Checks that only this user and the administrators can have written a program. Windows does not tell: nothing is
   * checked there.
   */
  assertTrusted(file: string): Promise<void>
}
