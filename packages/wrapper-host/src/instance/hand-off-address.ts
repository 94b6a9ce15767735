import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { InstancePlace } from './platform/instance-platform.ts'

/** Something that is not this user's wrapper sits at the address of its hand-off socket. */
export class HandOffTakenError extends ServiceLinkError<'ERR_HAND_OFF_TAKEN'> {
  readonly code = 'ERR_HAND_OFF_TAKEN'
  readonly address: string

  constructor(address: string) {
    super(
      `Something that is not this user’s wrapper sits at ${address}. Nothing else should: report it to whoever looks after this machine.`,
    )
    this.address = address
  }
}

/**
 * Makes sure that what is at a hand-off address, if anything, is a socket of this user.
 *
 * @throws {HandOffTakenError} when it is a file, a link, a folder, or another user's
 */
export function checkHandOffAddress(address: string): void {
  const found = lstatSync(address, { throwIfNoEntry: false })
  if (found && !(found.isSocket() && found.uid === process.getuid?.())) throw new HandOffTakenError(address)
}

/** Room for the longest name of a pipe. */
const maxAddressBytes = 512

const randomEnd = /^[0-9a-f]{64}$/

/**
 * The address at which the wrapper listens, if one does. Of a wrapper that was killed it may be left over, and nobody is there.
 *
 * @returns nothing when there is a file for it which is not there, cannot be read, or holds no such address
 */
export function findHandOffAddress(
  place: Pick<InstancePlace, 'handOffAddress' | 'addressFile'>,
): string | undefined {
  const { handOffAddress, addressFile } = place
  if (addressFile === undefined) return handOffAddress
  const address = readStart(addressFile)
  const isOne = address?.startsWith(handOffAddress) && randomEnd.test(address.slice(handOffAddress.length))
  return isOne ? address : undefined
}

function readStart(file: string): string | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const bytes = new Uint8Array(maxAddressBytes)
    return new TextDecoder().decode(bytes.subarray(0, readSync(handle, bytes)))
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
