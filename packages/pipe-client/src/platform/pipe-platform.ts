import type { Brand } from '@service-link/protocol-core/brand'

/** A pipe whose name is that of a wrapper's. */
export interface ListedPipe {
  readonly pid: number
  readonly address: string
}

/** What differs between operating systems in finding a pipe. */
export interface PipePlatform {
  /** Where the pipe of a process is opened. */
  addressOf(brand: Brand, pid: number): string
  /** Pipes of this brand that this user may trust; whether anyone serves them is not known yet. */
  listPipes(brand: Brand): Promise<readonly ListedPipe[]>
  /**
   * Makes sure, before a connection, that the address is this user's own pipe.
   *
   * @returns whether it is there
   * @throws {PipeDeniedError} when it is another user's, or not a pipe
   */
  isThere(address: string): boolean
}
