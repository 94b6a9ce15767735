import { XMLBuilder } from 'fast-xml-parser'

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: false,
})

/**
 * Writes a user's settings as .NET configuration XML, as `user.config` holds them (specification 2.2).
 *
 * @param group element that holds the settings inside `userSettings`, by custom `<application>.Properties.Settings`
 * @param settings name → text, in the order to be written
 */
export function writeUserConfig(group: string, settings: ReadonlyMap<string, string>): string {
  const setting = [...settings].map(([name, value]) => ({ '@name': name, '@serializeAs': 'String', value }))
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'utf-8' },
    configuration: { userSettings: { [group]: { setting } } },
  })
}
