import type { Brand } from '@service-link/protocol-core'
import { Deadline } from '@service-link/protocol-core/time'
import { decodeXml, maxXmlBytes, XmlReadError } from '@service-link/xml-input'
import { readWholeFile } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { type ConfigFile, ConfigFileError, readConfigFile } from './config-file.ts'

export type FoundConfigFile =
  | { readonly state: 'read'; readonly file: string; readonly text: string; readonly content: ConfigFile }
  | { readonly state: 'absent'; readonly file: string }
  | { readonly state: 'damaged' | 'unreadable'; readonly file: string; readonly error: ConfigFileError }

/**
 * Reads a configuration file. A damaged file is a state, not an error.
 *
 * @param otherGroups names of the wrapper's groups in its other file
 */
export async function findConfigFile(
  file: string,
  brand: Brand,
  otherGroups?: readonly string[],
): Promise<FoundConfigFile> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readConfigBytes(file)
    if (!bytes) return { state: 'absent', file }
    const text = decodeConfigText(bytes, file)
    return { state: 'read', file, text, content: readConfigFile(text, file, brand, otherGroups) }
  } catch (error) {
    if (error instanceof ConfigFileError) return { state: bytes ? 'damaged' : 'unreadable', file, error }
    throw error
  }
}

/**
 * Reads the text of a configuration file: UTF-8, UTF-16, or the code page that it declares.
 *
 * @returns nothing when there is no such file
 */
export async function readConfigText(file: string): Promise<string | undefined> {
  const bytes = await readConfigBytes(file)
  return bytes && decodeConfigText(bytes, file)
}

/** A file server may hang. In milliseconds. */
const readLimitMs = 20_000

async function readConfigBytes(file: string): Promise<Uint8Array | undefined> {
  const unreadable = (problem: string) =>
    new ConfigFileError(file, `${problem}; it must be a file that this user may read`)
  try {
    const read = await new Deadline(readLimitMs).waitFor(readWholeFile(file, { maxBytes: maxXmlBytes }), () =>
      unreadable(`could not be read within ${readLimitMs / 1000} seconds`),
    )
    if ('problem' in read) throw unreadable(read.problem)
    return read.bytes
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    if (failureReason(error) === 'ENOENT') return undefined
    throw unreadable(`cannot be read (${failureReason(error)})`)
  }
}

/** @throws {ConfigFileError} when its encoding is not read: a lenient decoder would replace text that a save then loses */
function decodeConfigText(bytes: Uint8Array, file: string): string {
  try {
    return decodeXml(bytes)
  } catch (error) {
    if (error instanceof XmlReadError)
      throw new ConfigFileError(file, error.problem, error.line, error.column)
    throw error
  }
}
