import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'

const digests = ['sha256', 'sha384', 'sha512'] as const

/** A stream of the compound file that an installer is, as its directory names it. */
const signatureStream = Buffer.from('\u0005DigitalSignature\0', 'utf16le')
/** Size of a directory's entry, and the place of the stream's size in it. */
const entry = { bytes: 128, size: 120 } as const

/** Bytes of a program's first header, and the place where it says where the second begins. */
const firstHeader = { bytes: 64, next: 0x3c } as const

/** Tells whether a file is a program or library of Windows by its headers, whatever its name. Data may begin with its first letters. */
export async function isWindowsProgram(file: string): Promise<boolean> {
  await using opened = await open(file)
  const bytesAt = async (place: number, length: number) => {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(length), 0, length, place)
    return buffer.subarray(0, bytesRead)
  }
  const first = await bytesAt(0, firstHeader.bytes)
  if (!isFirstHeader(first)) return false
  return isSecondHeader(await bytesAt(first.readUInt32LE(firstHeader.next), 4))
}

function isFirstHeader(content: Buffer): boolean {
  return content.length >= firstHeader.bytes && content.toString('latin1', 0, 2) === 'MZ'
}

function isSecondHeader(content: Buffer): boolean {
  return content.toString('latin1', 0, 4) === 'PE\0\0'
}

/**
 * Looks for the signature of a program, a library or an installer for Windows. Of a program it compares the digest that was signed with
 * the file's: a copied or outdated signature is none. Windows checks who signed.
 *
 * @returns what is missing, as a clause; a file that is neither, or damaged, has no signature
 */
export async function signatureProblem(file: string): Promise<string | undefined> {
  const content = await readFile(file)
  if (!isFirstHeader(content)) return problemOfInstaller(content)
  const program = content.subarray(content.readUInt32LE(firstHeader.next))
  return isSecondHeader(program) ? problemOfProgram(content, content.length - program.length) : unsigned
}

const unsigned = 'it has no signature'

function problemOfInstaller(content: Buffer): string | undefined {
  const at = content.indexOf(signatureStream)
  const isEntry = at !== -1 && at % entry.bytes === 0 && at + entry.bytes <= content.length
  return isEntry && content.readUInt32LE(at + entry.size) > 0 ? undefined : unsigned
}

/** Bytes from a program's second header to its tables' list, which begins with their number: in programs of 32 and of 64 bits. */
const tableLists: ReadonlyMap<number, number> = new Map([
  [0x10b, 24 + 92],
  [0x20b, 24 + 108],
])

/** Place of the signature's table in their list. */
const signatureTable = 4

/** Authenticode: all of the file is signed but its checksum, the place of the signature, and the signature at its end. */
function problemOfProgram(content: Buffer, header: number): string | undefined {
  const cutOff = 'its headers are cut off'
  if (header + 26 > content.length) return cutOff
  const list = tableLists.get(content.readUInt16LE(header + 24))
  if (list === undefined) return unsigned
  const checksum = header + 24 + 64
  const place = header + list + 4 + signatureTable * 8
  if (place + 8 > content.length) return cutOff
  const start = content.readUInt32LE(place)
  const bytes = content.readUInt32LE(place + 4)
  const hasTable = content.readUInt32LE(header + list) > signatureTable
  if (!hasTable || start === 0 || bytes === 0) return unsigned
  if (start < place + 8 || start + bytes > content.length) return 'its signature is cut off'
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
