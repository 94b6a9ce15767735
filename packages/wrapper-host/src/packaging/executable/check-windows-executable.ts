import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import type { PackPlan } from '../pack-plan.ts'

const rawData = 10
const versionInfo = 16
const windowsSubsystem = 2

/**
 * Looks whether an executable for Windows is one still, and the brand's.
 *
 * @returns what is wrong, as a clause; nothing when all is right
 */
export function problemOfWindowsExecutable(
  bytes: Uint8Array,
  { brand, version }: PackPlan,
): string | undefined {
  const parsed = parse(bytes)
  if (!parsed) return 'is no executable of Windows'
  const { executable, resources } = parsed
  if (executable.newHeader.optionalHeader.subsystem !== windowsSubsystem) return 'would open a console'
  if (!resources.entries.some(({ type, id }) => type === rawData && id === 'NODE_SEA_BLOB'))
    return 'has no program in its resources'
  const infos = Resource.VersionInfo.fromEntries(resources.entries)
  const [info] = infos
  if (!info || resources.entries.filter(({ type }) => type === versionInfo).length !== 1)
    return 'has not one version information'
  const values = info.getAllLanguagesForStringValues().map(each => info.getStringValues(each))
  const wanted = {
    CompanyName: brand.vendor,
    FileDescription: brand.displayName,
    FileVersion: version,
    OriginalFilename: brand.executable,
    ProductName: brand.displayName,
    ProductVersion: version,
  }
  for (const [name, value] of Object.entries(wanted))
    if (!values.every(texts => texts[name] === value)) return `has another ${name} than the brand`
  return JSON.stringify(values).includes('Node.js') ? 'still has names of Node' : undefined
}

function parse(bytes: Uint8Array) {
  try {
    const executable = NtExecutable.from(bytes, { ignoreCert: true })
    return { executable, resources: NtExecutableResource.from(executable) }
  } catch {
    return undefined
  }
}
