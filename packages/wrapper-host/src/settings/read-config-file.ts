import { ServiceLinkError } from '@service-link/protocol-core'
import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** A configuration file that cannot be read as .NET configuration XML. */
export class ConfigFileError extends ServiceLinkError<'ERR_CONFIG_FILE'> {
  readonly code = 'ERR_CONFIG_FILE'
  readonly file: string
  /** Where the fault is, counted from 1; absent when it is the file as a whole. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(file: string, problem: string, line?: number, column?: number) {
    super(`${file}${line === undefined ? '' : `, line ${line}, column ${column}`}: ${problem}`)
    this.file = file
    this.line = line
    this.column = column
  }
}

/** Settings of one file as they are written there. */
export interface ConfigFile {
  /** From the section `applicationSettings`: name → text. */
  readonly application: ReadonlyMap<string, string>
  /** From the section `userSettings`: name → text. */
  readonly user: ReadonlyMap<string, string>
}

/** Largest configuration file in bytes: 1 MiB. */
export const maxConfigFileBytes = 1024 * 1024

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // Without it the parser leaves character references, as in `M&#252;ller`, as they are written.
  htmlEntities: true,
  isArray: name => name === 'setting',
})

/**
 * Reads .NET configuration XML: `<configuration>` with the sections `applicationSettings` and `userSettings`, in each one
 * element of any name that holds `<setting name="…"><value>…</value></setting>` (specification 2.2).
 *
 * @param text the file's content
 * @param file its name, for messages
 * @throws {ConfigFileError} with line and column when it is not well-formed, has a DOCTYPE, or has another root; without
 *   them when it is too large
 */
export function readConfigFile(text: string, file: string): ConfigFile {
  if (Buffer.byteLength(text) > maxConfigFileBytes)
    throw new ConfigFileError(file, `is larger than ${maxConfigFileBytes} bytes`)
  const content = text.replace(/^\uFEFF/, '')
  const doctype = /<!DOCTYPE/i.exec(content)
  if (doctype)
    throw new ConfigFileError(file, 'a DOCTYPE is not allowed', ...positionOf(content, doctype.index))
  const checked = XMLValidator.validate(content)
  if (checked !== true) throw new ConfigFileError(file, checked.err.msg, checked.err.line, checked.err.col)
  const root: unknown = parser.parse(content)
  const configuration = memberOf(root, 'configuration')
  if (configuration === undefined)
    throw new ConfigFileError(file, 'the root element must be <configuration>', 1, 1)
  return {
    application: settingsIn(memberOf(configuration, 'applicationSettings')),
    user: settingsIn(memberOf(configuration, 'userSettings')),
  }
}

function positionOf(text: string, index: number): [line: number, column: number] {
  const before = text.slice(0, index).split('\n')
  return [before.length, (before.at(-1)?.length ?? 0) + 1]
}

function settingsIn(section: unknown): Map<string, string> {
  const found = new Map<string, string>()
  if (typeof section !== 'object' || section === null) return found
  for (const group of Object.values(section).flat()) {
    for (const setting of asArray(memberOf(group, 'setting'))) {
      const name = memberOf(setting, '@name')
      if (typeof name === 'string') found.set(name, textOf(memberOf(setting, 'value')))
    }
  }
  return found
}

/** An element without attributes is its text, one with attributes is an object that holds it. */
function textOf(element: unknown): string {
  const text = typeof element === 'string' ? element : memberOf(element, '#text')
  return typeof text === 'string' ? text : ''
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
