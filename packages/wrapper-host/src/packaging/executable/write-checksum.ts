import { open, readFile } from 'node:fs/promises'
import { checksumOffset, peChecksum } from './pe-checksum.ts'

/** Gives an executable for Windows the checksum that fits its content. Whoever signs it does so anew. */
export async function writeChecksum(file: string): Promise<void> {
  const executable = await readFile(file)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(peChecksum(executable))
  await using handle = await open(file, 'r+')
  await handle.write(checksum, 0, checksum.length, checksumOffset(executable))
}
