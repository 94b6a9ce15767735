import { type Brand, type SettingDefinition, settingsTable } from '@service-link/protocol-core'
import {
  openRegistry,
  type Registry,
  RegistryError,
  type RegistryHive,
  type RegistryValue,
} from '@service-link/protocol-core/windows'
import type { SettingNotice } from './setting-groups.ts'

/** What administrators have set by group policy. */
export interface FoundPolicies {
  /** The machine's first: name of a setting → text. */
  readonly machine: ReadonlyMap<string, string>
  readonly user: ReadonlyMap<string, string>
  /** Policies without effect, and a key that cannot be read. */
  readonly notices: readonly SettingNotice[]
}

/** Key of the policies, below the machine and below the user. Only administrators may write there. */
export function policyKey({ vendor, application }: Brand): string {
  return `Software\\Policies\\${vendor}\\${application}`
}

/**
 * Reads the policies for a wrapper in the registry of Windows. Those of the user hold for the user's settings only. There are none on
 * other systems, and without `node:ffi`.
 */
export function readPolicies(brand: Brand, registry: Registry | undefined = openRegistry()): FoundPolicies {
  const notices: SettingNotice[] = []
  const key = policyKey(brand)
  const definitions: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  const read = (hive: RegistryHive, isAllowed: (definition: SettingDefinition) => boolean) => {
    const policies = new Map<string, string>()
    for (const [name, value] of valuesOf(registry, hive, key, notices)) {
      // Names of values have no case in Windows.
      const setting = Object.keys(definitions).find(each => each.toLowerCase() === name.toLowerCase())
      const definition = setting === undefined ? undefined : definitions[setting]
      if (setting === undefined || !definition)
        notices.push({ setting: name, problem: `in the policies of ${hive} is not known` })
      else if (isAllowed(definition)) policies.set(setting, textOf(value, definition))
      else notices.push({ setting, problem: 'is global and has no effect as a policy of the user' })
    }
    return policies
  }
  const machine = read('HKLM', () => true)
  return { machine, user: read('HKCU', ({ scope }) => scope === 'user'), notices }
}

function valuesOf(
  registry: Registry | undefined,
  hive: RegistryHive,
  key: string,
  notices: SettingNotice[],
): ReadonlyMap<string, RegistryValue> {
  try {
    return registry?.read(hive, key) ?? new Map()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const problem = `cannot be read (error ${error.status} of Windows), so that its policies have no effect`
    notices.push({ setting: `key ${hive}\\${key}`, problem })
    return new Map()
  }
}

/** Administrators write switches as numbers, and lists as several lines. */
function textOf(value: RegistryValue, { choices = [] }: SettingDefinition): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return value.join(' ')
  const isSwitch = choices.length === 2 && value <= 1
  return isSwitch ? (choices[1 - value] ?? '') : String(value)
}
