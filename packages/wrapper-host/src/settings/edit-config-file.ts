import { indented, inElement, settingLines, valueLine } from './config-lines.ts'
import { type ConfigElement, childOf, parseConfigXml } from './parse-config-xml.ts'
import { settingElements } from './read-config-file.ts'

/**
 * Sets values in the section `userSettings` of a configuration file. All else in the text stays as it is: other settings and
 * sections, comments, white space, line ends, byte order mark.
 *
 * @param text the file's content
 * @param file its name, for messages
 * @param group element that takes settings that the file does not have yet, such as `<application>.Properties.Settings`
 * @param changes name → text that XML can hold
 * @throws {ConfigFileError} when the text is no configuration file
 */
export function editUserSettings(
  text: string,
  file: string,
  group: string,
  changes: ReadonlyMap<string, string>,
): string {
  let edited = text
  for (const [name, value] of changes) {
    const configuration = parseConfigXml(edited, file)
    // Of several the last counts.
    const setting = settingElements(childOf(configuration, 'userSettings')).findLast(
      ({ attributes }) => attributes.get('name') === name,
    )
    edited = setting
      ? setValue(edited, setting, value)
      : addSetting(edited, configuration, group, settingLines(name, value))
  }
  return edited
}

function setValue(text: string, setting: ConfigElement, value: string): string {
  const element = childOf(setting, 'value')
  if (!element) return addLines(text, setting, [valueLine(value)])
  return replace(text, element.start, element.end, valueLine(value))
}

function addSetting(
  text: string,
  configuration: ConfigElement,
  groupName: string,
  setting: readonly string[],
): string {
  const section = childOf(configuration, 'userSettings')
  const group = childOf(section, groupName)
  if (group) return addLines(text, group, setting)
  if (section) return addLines(text, section, inElement(groupName, setting))
  return addLines(text, configuration, inElement('userSettings', inElement(groupName, setting)))
}

/** Puts lines before the end of an element, indented as it is. */
function addLines(text: string, parent: ConfigElement, lines: readonly string[]): string {
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
