import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'

const digests = ['sha256', 'sha384', 'sha512'] as const

/** A stream of the compound file that an installer is, as its directory names it. */
const signatureStream = Buffer.from('\u0005DigitalSignature\0', 'utf16le')
/** Size of a directory's entry, and the place of the stream's size in it. */
const entry = { bytes: 128, size: 120 } as const

/** Tells whether a file begins as programs and libraries of Windows do, whatever its name. */
export async function isWindowsProgram(file: string): Promise<boolean> {
  await using opened = await open(file)
  const beginning = Buffer.alloc(2)
  await opened.read(beginning, 0, 2, 0)
  return beginning.toString('latin1') === 'MZ'
}

/**
 * Looks for the signature of a program, a library or an installer for Windows. Of a program it compares the digest that was signed with
 * the file's: a copied or outdated signature is none. Windows checks who signed.
 *
 * @returns what is missing, as a clause
 */
export async function signatureProblem(file: string): Promise<string | undefined> {
  const content = await readFile(file)
  return content.toString('latin1', 0, 2) === 'MZ' ? problemOfProgram(content) : problemOfInstaller(content)
}

function problemOfInstaller(content: Buffer): string | undefined {
  const at = content.indexOf(signatureStream)
  const isEntry = at !== -1 && at % entry.bytes === 0 && at + entry.bytes <= content.length
  return isEntry && content.readUInt32LE(at + entry.size) > 0 ? undefined : 'it has no signature'
}

/** Authenticode: all of the file is signed but its checksum, the place of the signature, and the signature at its end. */
function problemOfProgram(content: Buffer): string | undefined {
  const optionalHeader = content.readUInt32LE(0x3c) + 24
  const isLong = content.readUInt16LE(optionalHeader) === 0x20b
  const checksum = optionalHeader + 64
  const place = optionalHeader + (isLong ? 112 : 96) + 8 * 4
  const start = content.readUInt32LE(place)
  const bytes = content.readUInt32LE(place + 4)
  if (start === 0 || bytes === 0) return 'it has no signature'
  if (start + bytes > content.length) return 'its signature is cut off'
  const signature = content.subarray(start, start + bytes)
  const signed = [
    content.subarray(0, checksum),
    content.subarray(checksum + 4, place),
    content.subarray(place + 8, start),
    content.subarray(start + bytes),
  ]
  const isOfThis = digests.some(name => {
    const hash = createHash(name)
    for (const part of signed) hash.update(part)
    const digest = hash.digest()
    // DER: a string of octets.
    return signature.includes(Buffer.concat([Buffer.of(0x04, digest.length), digest]))
  })
  return isOfThis ? undefined : 'its signature is that of another file, or by SHA-1'
}
