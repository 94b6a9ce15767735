import { BusyError } from '@service-link/protocol-core'
import { readPipeKey } from './pipe-key.ts'

/**
 * The key as this wrapper has read it last. An answer without a proof is an incident to a client: so a file that cannot be read for a
 * moment, because another program has it or too many are open, must not lead to one.
 */
export class RememberedKey {
  readonly #file: string
  #last: Uint8Array | undefined

  constructor(file: string) {
    this.#file = file
  }

  /**
   * Reads the key, see `readPipeKey`.
   *
   * @returns the one that was read last where the file is there and cannot be read; nothing when there is none
   * @throws {BusyError} when it cannot be read, and never was
   */
  read(): Uint8Array | undefined {
    try {
      this.#last = readPipeKey(this.#file)
    } catch {
      if (!this.#last) throw new BusyError('The wrapper cannot read its key at this moment.')
    }
    return this.#last
  }
}
