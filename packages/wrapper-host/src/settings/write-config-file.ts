import { inElement, settingLines } from './config-lines.ts'

/**
 * Writes a user's settings as .NET configuration XML, as `user.config` holds them (specification 2.2).
 *
 * @param group element that holds the settings inside `userSettings`, by custom `<application>.Properties.Settings`
 * @param settings name → text, in the order to be written
 */
export function writeUserConfig(group: string, settings: ReadonlyMap<string, string>): string {
  const lines = [...settings].flatMap(([name, value]) => settingLines(name, value))
  const configuration = inElement('configuration', inElement('userSettings', inElement(group, lines)))
  return ['<?xml version="1.0" encoding="utf-8"?>', ...configuration, ''].join('\n')
}
