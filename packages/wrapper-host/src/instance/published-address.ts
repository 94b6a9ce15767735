import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { replaceFile } from '../files/replace-file.ts'
import type { HandOffProof } from './hand-off-message.ts'
import { instanceFileError } from './private-folder.ts'

/** An address, and the proof of who listens there, that those who may read its file know. */
export interface PublishedAddress extends AsyncDisposable {
  readonly address: string
  readonly proof: HandOffProof
  /**
   * Writes both into their file, in one step; to be called when something listens there.
   *
   * @throws {PrivateFolderError} when it cannot be written
   */
  publish(): Promise<void>
}

/**
 * Chooses an address that nobody can guess, anew for each wrapper. The file goes with the wrapper; one that is killed leaves a file
 * behind, with an address at which nobody listens.
 *
 * @param beginning what the address begins with; 64 hexadecimal digits follow
 * @param file whose folder is this user's alone
 */
export function newPublishedAddress(beginning: string, file: string): PublishedAddress {
  const address = beginning + randomDigits()
  const proof = { ask: randomDigits(), answer: randomDigits() }
  return {
    address,
    proof,
    async publish() {
      try {
        await replaceFile(file, [address, proof.ask, proof.answer].join('\n'))
      } catch (error) {
        throw instanceFileError(file, 'the address', error)
      }
    },
    [Symbol.asyncDispose]: () => rm(file, { force: true, maxRetries: 5 }).catch(() => undefined),
  }
}

function randomDigits(): string {
  return randomBytes(32).toString('hex')
}
