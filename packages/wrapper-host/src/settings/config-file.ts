import { ServiceLinkError } from '@service-link/protocol-core'
import { locateXml, maxXmlBytes, readXml, type XmlElement, XmlReadError } from '@service-link/xml-input'

/** A configuration file is no .NET configuration XML, or cannot be read or written. */
export class ConfigFileError extends ServiceLinkError<'ERR_CONFIG_FILE'> {
  readonly code = 'ERR_CONFIG_FILE'
  readonly file: string
  /** Place of the fault, counted from 1. Missing for a fault of the whole file. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(file: string, problem: string, line?: number, column?: number) {
    super(`${file}${line === undefined ? '' : `, line ${line}, column ${column}`}: ${problem}`)
    this.file = file
    this.line = line
    this.column = column
  }
}

/** The texts of the settings in one file. */
export interface ConfigFile {
  /** From the section `applicationSettings`: name → text. */
  readonly application: ReadonlyMap<string, string>
  /** From the section `userSettings`: name → text. */
  readonly user: ReadonlyMap<string, string>
}

/** .NET nests sections deeper than a person's XML file. */
const maxDepth = 100

/**
 * Reads .NET configuration XML: `<configuration>` with the sections `applicationSettings` and `userSettings`, in each any
 * number of groups that hold `<setting name="…"><value>…</value></setting>` (specification 2.2). The last setting of a name in a
 * section counts.
 *
 * @param text the file's content
 * @param file its name, for messages
 * @throws {ConfigFileError} with line and column when it is not well-formed, has a DOCTYPE, has another root or is nested
 *   too deeply; without them when it is too large
 */
export function readConfigFile(text: string, file: string): ConfigFile {
  const configuration = parseConfig(text, file)
  return {
    application: settingsIn(childOf(configuration, 'applicationSettings')),
    user: settingsIn(childOf(configuration, 'userSettings')),
  }
}

function settingsIn(section: XmlElement | undefined): Map<string, string> {
  return new Map(
    settingElements(section).map(setting => [
      setting.attributes.get('name') ?? '',
      childOf(setting, 'value')?.text ?? '',
    ]),
  )
}

/** Every setting of a section, in the order of the file. */
function settingElements(section: XmlElement | undefined): readonly XmlElement[] {
  return (section?.children ?? []).flatMap(group =>
    group.children.filter(({ name, attributes }) => name === 'setting' && attributes.has('name')),
  )
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find(child => child.name === name)
}

/** @returns the element `configuration` */
function parseConfig(text: string, file: string): XmlElement {
  if (Buffer.byteLength(text) > maxXmlBytes) throw configTooLarge(file)
  try {
    const root = readXml(text, { maxDepth, maxElements: Number.POSITIVE_INFINITY })
    if (root.name === 'configuration') return root
    const { line, column } = locateXml(text, root.start)
    throw new ConfigFileError(file, 'The root element must be <configuration>.', line, column)
  } catch (error) {
    if (error instanceof XmlReadError)
      throw new ConfigFileError(file, error.problem, error.line, error.column)
    throw error
  }
}

/** The error for a file that is larger than `maxXmlBytes`. */
export function configTooLarge(file: string): ConfigFileError {
  return new ConfigFileError(file, `is larger than ${maxXmlBytes} bytes`)
}

/**
 * Writes a user's settings as .NET configuration XML, for `user.config` (specification 2.2).
 *
 * @param group element that holds the settings inside `userSettings`, usually `<application>.Properties.Settings`
 * @param settings name → text, in the order of the file
 */
export function writeUserConfig(group: string, settings: ReadonlyMap<string, string>): string {
  const lines = [...settings].flatMap(([name, value]) => settingLines(name, value))
  const configuration = inElement('configuration', inElement('userSettings', inElement(group, lines)))
  return ['<?xml version="1.0" encoding="utf-8"?>', ...configuration, ''].join('\n')
}

const indentation = '    '

/** Writes an element around these lines. */
export function inElement(name: string, lines: readonly string[]): string[] {
  return [`<${name}>`, ...indented(lines), `</${name}>`]
}

/** Writes a setting like .NET. */
export function settingLines(name: string, value: string): string[] {
  return [
    `<setting name="${escapeXml(name)}" serializeAs="String">`,
    indentation + valueLine(value),
    '</setting>',
  ]
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => indentation + line)
}

function valueLine(value: string): string {
  return `<value>${escapeXml(value)}</value>`
}

const references = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

/** Also escapes white space that XML readers would change: carriage returns, and line ends and tabs in attributes. */
function escapeXml(text: string): string {
  return text.replaceAll(
    /[&<>"\r\n\t]/g,
    character => references.get(character) ?? `&#${character.codePointAt(0)};`,
  )
}

/**
 * Sets values in the section `userSettings` of a configuration file. Keeps all other text: settings, sections, comments, white
 * space, line ends, byte-order mark.
 *
 * @param text the file's content
 * @param file its name, for messages
 * @param group element for new settings, such as `<application>.Properties.Settings`
 * @param changes name → text without characters that XML forbids
 * @throws {ConfigFileError} when the text is no configuration file, or the result would be too large
 */
export function editUserSettings(
  text: string,
  file: string,
  group: string,
  changes: ReadonlyMap<string, string>,
): string {
  let edited = text
  for (const [name, value] of changes) {
    const configuration = parseConfig(edited, file)
    // The last setting of a name counts.
    const setting = settingElements(childOf(configuration, 'userSettings')).findLast(
      ({ attributes }) => attributes.get('name') === name,
    )
    edited = setting
      ? setValue(edited, setting, value)
      : addSetting(edited, configuration, group, settingLines(name, value))
  }
  parseConfig(edited, file)
  return edited
}

function setValue(text: string, setting: XmlElement, value: string): string {
  const element = childOf(setting, 'value')
  if (!element) return addLines(text, setting, [valueLine(value)])
  return replace(text, element.start, element.end, valueLine(value))
}

function addSetting(
  text: string,
  configuration: XmlElement,
  groupName: string,
  setting: readonly string[],
): string {
  const section = childOf(configuration, 'userSettings')
  const group = childOf(section, groupName)
  if (group) return addLines(text, group, setting)
  if (section) return addLines(text, section, inElement(groupName, setting))
  return addLines(text, configuration, inElement('userSettings', inElement(groupName, setting)))
}

/** Puts lines before the end of an element, indented like it. */
function addLines(text: string, parent: XmlElement, lines: readonly string[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text.slice(text.lastIndexOf('\n', parent.start) + 1, parent.start)
  const indent = before.trim() === '' ? before : ''
  const added = [...indented(lines).map(line => indent + line), indent].map(line => lineEnd + line).join('')
  const isEmptyTag = text.endsWith('/>', parent.end)
  const endTag = isEmptyTag ? parent.end - '/>'.length : text.lastIndexOf('</', parent.end - 1)
  const contentEnd = text.slice(0, endTag).trimEnd().length
  return isEmptyTag
    ? replace(text, contentEnd, parent.end, `>${added}</${parent.name}>`)
    : replace(text, contentEnd, endTag, added)
}

function replace(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
