import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { isServed } from '../connection/is-served.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** A wrapper that is running. */
export interface FoundWrapper {
  /** Process id of the wrapper. */
  readonly pid: number
  /** Where its pipe is opened: `\\.\pipe\…` on Windows, the path of a socket elsewhere. */
  readonly address: string
}

/** Options of {@link findWrappers}. */
export interface FindWrappersOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
}

/**
 * Finds the running wrappers that this user may command (specification 4.5). Sockets that a wrapper left behind, and
 * pipes of other users, are not among them.
 *
 * @returns ordered by process id
 * @example
 * ```ts
 * import { findWrappers } from '@service-link/pipe-client'
 *
 * for (const { pid, address } of await findWrappers()) console.log(pid, address)
 * ```
 */
export async function findWrappers({
  brand = defaultBrand,
}: FindWrappersOptions = {}): Promise<readonly FoundWrapper[]> {
  const pipes = await currentPlatform.listPipes(brand)
  const served = await Promise.all(pipes.map(pipe => isServed(pipe.address)))
  return pipes.filter((_, index) => served[index]).sort((a, b) => a.pid - b.pid)
}
