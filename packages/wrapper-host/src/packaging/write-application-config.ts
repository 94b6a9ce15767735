import { inElement, settingLines } from '../settings/config-file.ts'
import type { PackPlan } from './pack-plan.ts'

/**
 * Writes the settings for everybody as .NET configuration XML, as the file beside the executable holds them (specification 2.2).
 * What the brand knows by itself is written too, so that whoever installs it sees where to change it.
 */
export function writeApplicationConfig({ brand, settings }: PackPlan): string {
  const known = { AppUrl: brand.appUrl, UpdateUrl: brand.updateUrl, DistributorName: '', ...settings }
  const lines = Object.entries({
    ...known,
    ProtocolProvider: settings.ProtocolProvider ?? brand.providers.legacyXml,
  })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => settingLines(name, value))
  const group = inElement(`${brand.application}.Properties.Settings`, lines)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    ...inElement('configuration', inElement('applicationSettings', group)),
    '',
  ].join('\n')
}
