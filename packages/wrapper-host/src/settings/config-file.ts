import { type Brand, ServiceLinkError } from '@service-link/protocol-core'
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
 * number of groups that hold `<setting name="…"><value>…</value></setting>` ([specification 2.2](https://github.com/service-link/service-link/blob/main/docs/reference/settings.md)). The last setting of a name in a
 * section counts.
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
  if (Buffer.byteLength(text) > maxXmlBytes)
    throw new ConfigFileError(file, `is larger than ${maxXmlBytes} bytes`)
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

/** Writes a user's file ([specification 2.2](https://github.com/service-link/service-link/blob/main/docs/reference/settings.md)). Keeps the elements of all other settings, but no comments and no other sections. */
export function writeUserConfig(
  { application }: Pick<Brand, 'application'>,
  changes: Readonly<Record<string, string>>,
  old: { readonly text: string; readonly file: string } = { text: '<configuration/>', file: '' },
): string {
  const configuration = parseConfig(old.text, old.file)
  const elements = ['applicationSettings', 'userSettings'].flatMap(section =>
    settingElements(childOf(configuration, section)),
  )
  const settings = new Map<string, readonly string[]>()
  // The last setting of a name counts.
  for (const { attributes, start, end } of elements)
    settings.set(attributes.get('name') ?? '', [old.text.slice(start, end)])
  for (const [name, value] of Object.entries(changes)) settings.set(name, settingLines(name, value))
  // .NET gives the element this name.
  const group = inElement(`${application}.Properties.Settings`, [...settings.values()].flat())
  const lines = inElement('configuration', inElement('userSettings', group))
  const text = ['<?xml version="1.0" encoding="utf-8"?>', ...lines, ''].join('\n')
  parseConfig(text, old.file)
  return text
}
