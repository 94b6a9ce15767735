import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { PackError, type SignCommand } from './pack-plan.ts'
import { runTool } from './run-tool.ts'

/** Longest run of a signing program in milliseconds: a person may have to enter the PIN of a smart card. */
const signTimeoutMs = 600_000

/**
 * Signs a file by the brand's signing program, and checks that a signature is there. Windows decides whether it is valid.
 *
 * @param file absolute path of an executable for Windows or an installer
 * @param sign the program; no shell reads its arguments
 * @throws {PackError} `sign`, with the program's output but without its arguments: these may hold a password
 */
export async function signFile(
  file: string,
  { command, folder }: SignCommand,
  signal?: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = command
  const end = await runTool(
    program,
    args.map(argument => argument.replaceAll('{file}', () => file)),
    { timeoutMs: signTimeoutMs, signal, workingDirectory: folder },
  )
  const subject = `${basename(file)} could not be signed`
  if (end.startProblem)
    throw new PackError('sign', `${subject}: the signing program could not be started (${end.startProblem}).`)
  if (end.exitCode !== 0)
    throw new PackError(
      'sign',
      `${subject}: the signing program ended with ${end.exitCode ?? 'a signal'}.\n${withoutArguments(end.output, args)}`.trim(),
    )
  if (!(await isSigned(file)))
    throw new PackError(
      'sign',
      `${subject}: the signing program ended with 0, but the file has no signature.`,
    )
}

/** Shorter arguments, such as `-h`, are part of any text. */
const minArgumentLength = 4

/** Removes arguments that the program repeats. */
function withoutArguments(output: string, args: readonly string[]): string {
  return args
    .filter(argument => argument.length >= minArgumentLength && !argument.includes('{file}'))
    .sort((a, b) => b.length - a.length)
    .reduce((text, argument) => text.replaceAll(argument, '…'), output)
}

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Name of an installer's stream with its signature. */
const signatureStream = Buffer.from('\u0005DigitalSignature\0', 'utf16le')
const directoryEntryBytes = 128

/**
 * Whether an executable for Windows or an installer has a signature, valid or not.
 *
 * @returns `false` also for a file of another kind
 */
export async function isSigned(file: string): Promise<boolean> {
  const bytes = await readFile(file)
  if (bytes.subarray(0, compoundFile.length).equals(compoundFile)) return hasSignatureStream(bytes)
  return hasCertificate(bytes)
}

/** Entries of a compound file's directory begin with their name, at multiples of their size. */
function hasSignatureStream(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(signatureStream); at !== -1; at = bytes.indexOf(signatureStream, at + 1))
    if (at % directoryEntryBytes === 0 && bytes.readUInt32LE(at + 120) > 0) return true
  return false
}

/** The fifth entry of the data directory locates the certificates. */
function hasCertificate(bytes: Buffer): boolean {
  if (bytes.length < 0x40 || bytes.toString('latin1', 0, 2) !== 'MZ') return false
  const header = bytes.readUInt32LE(0x3c)
  const optionalHeader = header + 24
  if (optionalHeader + 160 > bytes.length || bytes.toString('latin1', header, header + 4) !== 'PE\0\0')
    return false
  const directory = optionalHeader + (bytes.readUInt16LE(optionalHeader) === 0x20b ? 112 : 96)
  const start = bytes.readUInt32LE(directory + 32)
  const size = bytes.readUInt32LE(directory + 36)
  const typeOfPkcs7 = 2
  return size > 8 && start + size <= bytes.length && bytes.readUInt16LE(start + 6) === typeOfPkcs7
}
