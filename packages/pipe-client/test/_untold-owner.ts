import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeKeyFileName } from '@service-link/protocol-core/brand'
import { currentPlatform } from '../src/platform/current-platform.ts'

/** A user whose operating system does not tell whose pipe it is. */
export interface UntoldOwner extends AsyncDisposable {
  /** File of the key; there is none yet. */
  readonly keyFile: string
  /** Writes the key as a wrapper does, and returns it. */
  makeKey(key?: Uint8Array): Promise<Uint8Array>
}

/**
 * Makes this process one on a system as Windows is, in what concerns the owners of pipes, with a per-user folder of its own.
 *
 * @param tellsOwner true makes it one on any other system
 */
export async function untoldOwner(tellsOwner = false): Promise<UntoldOwner> {
  const platform: { tellsOwner: boolean } = currentPlatform
  const before = { tellsOwner: platform.tellsOwner, folder: process.env.SERVICE_WRAPPER_DATA }
  const folder = await mkdtemp(join(tmpdir(), 'whose-pipe-'))
  platform.tellsOwner = tellsOwner
  process.env.SERVICE_WRAPPER_DATA = folder
  const keyFile = join(folder, pipeKeyFileName)
  return {
    keyFile,
    async makeKey(key = crypto.getRandomValues(new Uint8Array(32))) {
      await writeFile(keyFile, key, { mode: 0o600 })
      return key
    },
    async [Symbol.asyncDispose]() {
      platform.tellsOwner = before.tellsOwner
      if (before.folder === undefined) delete process.env.SERVICE_WRAPPER_DATA
      else process.env.SERVICE_WRAPPER_DATA = before.folder
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The proof as the protocol page tells it. */
export function proofOf(
  key: Uint8Array,
  challenge: unknown,
  { pid = process.pid, protocol = 1 } = {},
): string {
  const text = `service-link hello proof\n${protocol}\n${pid}\n${challenge}`
  return createHmac('sha256', key).update(text).digest('base64url')
}
