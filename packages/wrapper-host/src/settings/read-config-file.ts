import { type ConfigElement, childOf, parseConfigXml } from './parse-config-xml.ts'

/** Settings of one file as they are written there. */
export interface ConfigFile {
  /** From the section `applicationSettings`: name → text. */
  readonly application: ReadonlyMap<string, string>
  /** From the section `userSettings`: name → text. */
  readonly user: ReadonlyMap<string, string>
}

/**
 * Reads .NET configuration XML: `<configuration>` with the sections `applicationSettings` and `userSettings`, in each any
 * number of groups that hold `<setting name="…"><value>…</value></setting>` (specification 2.2). Of two settings of one name
 * in a section the last counts.
 *
 * @param text the file's content
 * @param file its name, for messages
 * @throws {ConfigFileError} with line and column when it is not well-formed, has a DOCTYPE, or has another root; without
 *   them when it is too large or too deep
 */
export function readConfigFile(text: string, file: string): ConfigFile {
  const configuration = parseConfigXml(text, file)
  return {
    application: settingsIn(childOf(configuration, 'applicationSettings')),
    user: settingsIn(childOf(configuration, 'userSettings')),
  }
}

/** Every setting of a section, in the order of the file. */
export function settingElements(section: ConfigElement | undefined): readonly ConfigElement[] {
  return (section?.children ?? []).flatMap(group => group.children.filter(isSetting))
}

function isSetting(element: ConfigElement): boolean {
  return element.name === 'setting' && element.attributes.has('name')
}

function settingsIn(section: ConfigElement | undefined): Map<string, string> {
  const found = new Map<string, string>()
  for (const setting of settingElements(section))
    found.set(setting.attributes.get('name') ?? '', childOf(setting, 'value')?.text ?? '')
  return found
}
