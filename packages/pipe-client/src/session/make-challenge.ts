import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type HelloReply, helloProofText, pipeKeyBytes } from '@service-link/protocol-core'
import { type Brand, pipeKeyFileName, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import { openOwnFile } from '../platform/open-own-file.ts'
import type { WrapperChallenge } from './challenge-wrapper.ts'

/** See `challengeWrapper`, which loads this only where it is needed. */
export async function makeChallenge(brand: Brand): Promise<WrapperChallenge | undefined> {
  const file = resolve(wrapperUserFolder(brand, process.platform, process.env, homedir), pipeKeyFileName)
  const key = await readKey(file)
  if (!key) return undefined
  const text = randomBytes(pipeKeyBytes).toString('base64url')
  return {
    text,
    async isMetBy(hello, pid) {
      if (isProof(key, hello, pid, text)) return true
      // A wrapper that has just started may have replaced a key that was damaged.
      const newer = await readKey(file)
      return newer !== undefined && !newer.equals(key) && isProof(newer, hello, pid, text)
    },
  }
}

function isProof(key: Buffer, { protocol, proof }: HelloReply, pid: number, challenge: string): boolean {
  const expected = createHmac('sha256', key).update(helloProofText({ protocol, pid, challenge })).digest()
  const given = Buffer.from(proof ?? '', 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
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
