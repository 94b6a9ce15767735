import { type Brand, defaultBrand, defineError } from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { Deadline } from '@service-link/protocol-core/time'
import {
  decodeXml,
  escapeXml,
  locateXml,
  maxXmlBytes,
  readXml,
  type XmlElement,
  XmlReadError,
} from '@service-link/xml-input'
import { readWholeFile } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import {
  chooseGroups,
  findUnread,
  knownNames,
  readValue,
  type SettingNotice,
  sectionNames,
  settingElements,
} from './setting-groups.ts'

/**
 * A configuration file is no .NET configuration XML, or cannot be read or written.
 *
 * @remedy Correct the file at the line and column that the message names.
 * @retry no
 * @seenBy administrator, integrator
 */
export class ConfigFileError extends defineError(
  'ERR_CONFIG_FILE',
  (file: string, problem: string, line?: number, column?: number) => ({
    message: `${file}${line === undefined ? '' : `, line ${line}, column ${column}`}: ${problem}`,
    file,
    /** The fault alone. */
    problem,
    /** Place of the fault, counted from 1. Missing for a fault of the whole file. */
    line,
    column,
  }),
) {}

/** Remedy for the configuration file in the application root. */
export const neededRemedy = 'Correct or replace the file: the wrapper needs it to start.'

export interface ConfigFile {
  /** From the section `applicationSettings`: name → text. */
  readonly application: ReadonlyMap<string, string>
  /** From the section `userSettings`: name → text. */
  readonly user: ReadonlyMap<string, string>
  /** Parts of the file without effect. */
  readonly notices: readonly SettingNotice[]
}

export type FoundConfigFile =
  | { readonly state: 'read'; readonly file: string; readonly text: string; readonly content: ConfigFile }
  | { readonly state: 'absent'; readonly file: string }
  | { readonly state: 'damaged' | 'unreadable'; readonly file: string; readonly error: ConfigFileError }

/** Reads a configuration file. A damaged file is a state, not an error. */
export async function findConfigFile(file: string, brand: Brand): Promise<FoundConfigFile> {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readConfigBytes(file)
    if (!bytes) return { state: 'absent', file }
    const text = decodeConfigText(bytes, file)
    return { state: 'read', file, text, content: readConfigFile(text, file, brand) }
  } catch (error) {
    if (error instanceof ConfigFileError) return { state: bytes ? 'damaged' : 'unreadable', file, error }
    throw error
  }
}

/**
 * Reads the text of a configuration file: UTF-8, UTF-16, or the code page that it declares. Returns nothing when there is no such
 * file.
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

/** .NET nests sections deeper than a person's XML file. */
const maxDepth = 100

/**
 * Reads .NET configuration XML: `<configuration>` with the sections `applicationSettings` and `userSettings`, in each the
 * wrapper's group of `<setting name="…"><value>…</value></setting>` (spec 2.2). The last setting of a name in a section counts.
 */
export function readConfigFile(text: string, file: string, brand: Brand = defaultBrand): ConfigFile {
  const configuration = parseConfig(text, file)
  const groups = chooseGroups(configuration, brand)
  const notices = [...findUnread(configuration, brand, groups)]
  const known = knownNames(brand)
  const read = (section: (typeof sectionNames)[number]) => {
    const settings = new Map<string, string>()
    for (const element of groups.get(section)?.own.flatMap(settingElements) ?? []) {
      const name = nameOf(element)
      const value = readValue(element)
      const meant = known.includes(name) ? name : findNearName(name, known)
      if (meant !== undefined && meant !== name) {
        const isSame = meant.toLowerCase() === name.toLowerCase()
        const problem = `is written ${name} and not read${isSame ? ', because case counts' : ''}`
        notices.push({ setting: meant, problem })
      }
      if (typeof value === 'string') settings.set(name, value)
      else if (meant === name) notices.push({ setting: name, ...value })
      else settings.set(name, '')
    }
    return settings
  }
  return { application: read('applicationSettings'), user: read('userSettings'), notices }
}

function nameOf({ attributes }: XmlElement): string {
  return attributes.get('name') ?? ''
}

function parseConfig(text: string, file: string): XmlElement {
  if (Buffer.byteLength(text) > maxXmlBytes)
    throw new ConfigFileError(file, `is larger than ${maxXmlBytes} bytes`)
  try {
    const root = readXml(text, { maxDepth, maxElements: 2 ** 31 - 1 })
    if (root.name === 'configuration') return root
    const { line, column } = locateXml(text, root.start)
    throw new ConfigFileError(file, 'The root element must be <configuration>.', line, column)
  } catch (error) {
    if (error instanceof XmlReadError)
      throw new ConfigFileError(file, error.problem, error.line, error.column)
    throw error
  }
}

const indentation = '    '

export function inElement(name: string, lines: readonly string[]): string[] {
  return [`<${name}>`, ...lines.map(line => indentation + line), `</${name}>`]
}

/** Writes a setting like .NET. */
export function settingLines(name: string, value: string): string[] {
  return [
    `<setting name="${escapeXml(name)}" serializeAs="String">`,
    `${indentation}<value>${escapeXml(value)}</value>`,
    '</setting>',
  ]
}

/** A user's file that is written anew. */
interface OldFile {
  readonly text: string
  readonly file: string
}

/**
 * Writes a user's file (spec 2.2). Keeps the elements of all other settings, and groups of other libraries, but no comments
 * and no other sections.
 */
export function writeUserConfig(
  brand: Brand,
  changes: Readonly<Record<string, string>>,
  old: OldFile = { text: '<configuration/>', file: '' },
): string {
  const configuration = parseConfig(old.text, old.file)
  const groups = chooseGroups(configuration, brand)
  const settings = new Map<string, readonly string[]>()
  // The last setting of a name counts.
  for (const element of sectionNames.flatMap(
    section => groups.get(section)?.own.flatMap(settingElements) ?? [],
  ))
    settings.set(nameOf(element), [old.text.slice(element.start, element.end)])
  for (const [name, value] of Object.entries(changes)) settings.set(name, settingLines(name, value))
  // .NET gives the element this name.
  const group = inElement(`${brand.application}.Properties.Settings`, [...settings.values()].flat())
  const foreign =
    groups.get('userSettings')?.foreign.map(({ start, end }) => old.text.slice(start, end)) ?? []
  const lines = inElement('configuration', inElement('userSettings', [...group, ...foreign]))
  const text = ['<?xml version="1.0" encoding="utf-8"?>', ...lines, ''].join('\n')
  parseConfig(text, old.file)
  return text
}
