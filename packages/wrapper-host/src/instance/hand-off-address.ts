import { lstatSync } from 'node:fs'
import { ServiceLinkError } from '@service-link/protocol-core/errors'

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
