import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { HandOffProof } from './hand-off-message.ts'
import type { InstancePlace } from './platform/instance-platform.ts'

/** Something that is not this user's wrapper sits at the address of its hand-off socket. */
export class HandOffTakenError extends ServiceLinkError<'ERR_HAND_OFF_TAKEN'> {
  readonly code = 'ERR_HAND_OFF_TAKEN'
  readonly address: string

  constructor(address: string) {
    super(
      `Something that is not this user’s wrapper sits at ${address}. Nothing else should: report it to the administrator of this machine.`,
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

/** Where a wrapper listens, and what proves it. */
export interface HandOffPoint {
  readonly address: string
  readonly proof?: HandOffProof
}

/** Room for the longest name of a pipe and the proof. */
const maxFileBytes = 1024

const randomEnd = /^[0-9a-f]{64}$/

/**
 * The address at which the wrapper listens, if one does, and its proof. Of a wrapper that was killed they may be left over: nobody is
 * there then, or somebody who cannot prove to be the wrapper.
 *
 * @returns nothing when there is a file for it which is not there, cannot be read, or holds no such address
 */
export function findHandOff(
  place: Pick<InstancePlace, 'handOffAddress' | 'addressFile'>,
): HandOffPoint | undefined {
  const { handOffAddress, addressFile } = place
  if (addressFile === undefined) return { address: handOffAddress }
  const [address = '', ask = '', answer = '', ...rest] = readStart(addressFile).split('\n')
  if (!address.startsWith(handOffAddress) || rest.length > 0) return undefined
  const random = [address.slice(handOffAddress.length), ask, answer]
  return random.every(digits => randomEnd.test(digits)) ? { address, proof: { ask, answer } } : undefined
}

function readStart(file: string): string {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const bytes = new Uint8Array(maxFileBytes)
    return new TextDecoder().decode(bytes.subarray(0, readSync(handle, bytes)))
  } catch {
    return ''
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
