import {
  openRegistry,
  type Registry,
  RegistryError,
  type RegistryHive,
} from '@service-link/protocol-core/windows'

/** Keys with the policies of a family below `Software\Policies`. */
const keys = { chrome: 'Google\\Chrome', edge: 'Microsoft\\Edge', chromium: 'Chromium' } as const

/**
 * Reads the policies of a family on Windows; the first of a name is in force: the machine's before the user's, ordered ones before
 * recommended ones. A list is a key below, with its entries as values. Keys that cannot be read are left out.
 *
 * @returns none without a registry
 */
export function readRegistryPolicies(
  family: keyof typeof keys,
  registry: Registry | undefined = openRegistry(),
) {
  if (!registry) return []
  const key = `Software\\Policies\\${keys[family]}`
  return [key, `${key}\\Recommended`].flatMap(path =>
    (['HKLM', 'HKCU'] as const).flatMap(hive => readKey(registry, hive, path)),
  )
}

function readKey(registry: Registry, hive: RegistryHive, key: string) {
  const place = `${hive}\\${key}`
  try {
    const values = Array.from(registry.read(hive, key), ([name, value]) => ({ name, value, place }))
    const lists = registry.keysBelow(hive, key).map(name => {
      const entries = [...registry.read(hive, `${key}\\${name}`).values()]
      return { name, value: entries.map(String), place: `${place}\\${name}` }
    })
    return [...values, ...lists]
  } catch (error) {
    if (error instanceof RegistryError) return []
    throw error
  }
}
