const signatureBytes = 4
const fileHeaderBytes = 20

/** Where an executable for Windows holds its checksum: 32 bits. */
export function checksumOffset(executable: Buffer): number {
  return executable.readUInt32LE(0x3c) + signatureBytes + fileHeaderBytes + 64
}

/**
 * Checksum of an executable for Windows as its optional header holds it: the sum of its words with the carries added, and its length. Windows
 * compares that of drivers only, scanners that of everything.
 *
 * @param executable the whole file; what it holds as its checksum does not count
 */
export function peChecksum(executable: Buffer): number {
  const at = checksumOffset(executable)
  let sum = 0
  for (let offset = 0; offset + 1 < executable.length; offset += 2) sum += executable.readUInt16LE(offset)
  if (executable.length % 2 === 1) sum += executable.readUInt8(executable.length - 1)
  sum -= executable.readUInt16LE(at) + executable.readUInt16LE(at + 2)
  while (sum > 0xffff) sum = (sum % 0x1_0000) + Math.floor(sum / 0x1_0000)
  return sum + executable.length
}
