import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { isHelloProof, pipeKeyBytes } from '@service-link/protocol-core'
import { type Brand, pipeKeyFileName, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import { openOwnFile } from '../platform/open-own-file.ts'
import type { WrapperChallenge } from './challenge-wrapper.ts'

/** See `challengeWrapper`, which loads this only where it is needed. */
export async function makeChallenge(brand: Brand): Promise<WrapperChallenge | undefined> {
  const file = keyFile(brand)
  const key = await readKey(file)
  if (!key) return undefined
  const text = randomBytes(pipeKeyBytes).toString('base64url')
  const authenticateWith = (bytes: Buffer) => (proven: string) =>
    createHmac('sha256', bytes).update(proven).digest('base64url')
  return {
    text,
    async isMetBy(hello, pid) {
      const expected = { pid, challenge: text }
      if (isHelloProof(hello, expected, authenticateWith(key))) return true
      // A wrapper that has just started may have replaced a key that was damaged.
      const newer = await readKey(file)
      return newer !== undefined && isHelloProof(hello, expected, authenticateWith(newer))
    },
  }
}

/** See `watchForKey`. At once, as it is looked at before each call. */
export function hasKey(brand: Brand): boolean {
  return existsSync(keyFile(brand))
}

function keyFile(brand: Brand): string {
  return resolve(wrapperUserFolder(brand, process.platform, process.env, homedir), pipeKeyFileName)
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const handle = await openOwnFile(file, 'use')
  if (!handle) return undefined
  try {
    const bytes = Buffer.alloc(pipeKeyBytes + 1)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    if (bytesRead === pipeKeyBytes) return bytes.subarray(0, pipeKeyBytes)
  } finally {
    await handle.close()
  }
  throw new PipeDeniedError(
    `${file} is damaged, so that whose pipe it is cannot be told. Close the wrapper and start it again, which makes it anew.`,
  )
}
