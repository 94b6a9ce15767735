import { parseVersion } from '@service-link/protocol-core'
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit'
import type { PackPlan } from '../pack-plan.ts'

/** The subsystem of programs without a console. */
const windowsSubsystem = 2

/** American English and Unicode, which Windows prefers. */
const language = { lang: 1033, codepage: 1200 }
const iconGroup = 1

/**
 * Gives a program for Windows, such as Node, the names, version and icon of a brand. Removes its console, and its signature and
 * checksum, which the change makes invalid.
 *
 * @param name file name of the result
 */
export function brandWindowsProgram(
  program: Uint8Array,
  name: string,
  plan: PackPlan,
  icon: Uint8Array,
): Uint8Array {
  const executable = NtExecutable.from(program, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    iconGroup,
    language.lang,
    Data.IconFile.from(icon).icons.map(({ data }) => data),
  )
  writeVersion(resources, name, plan)
  resources.outputResource(executable)
  executable.newHeader.optionalHeader.subsystem = windowsSubsystem
  executable.newHeader.optionalHeader.checkSum = 0
  return new Uint8Array(executable.generate())
}

function writeVersion(resources: NtExecutableResource, name: string, { brand, version }: PackPlan): void {
  const [major, minor, build, revision] = parseVersion(version)
  const info = Resource.VersionInfo.createEmpty()
  info.lang = language.lang
  info.fixedInfo.fileOS = 0x40004
  info.fixedInfo.fileType = 1
  info.fixedInfo.fileFlagsMask = 0x3f
  info.setFileVersion(major, minor, build, revision, language.lang)
  info.setProductVersion(major, minor, build, revision, language.lang)
  info.setStringValues(language, {
    CompanyName: brand.vendor,
    FileDescription: brand.displayName,
    FileVersion: version,
    InternalName: brand.application,
    LegalCopyright: brand.vendor,
    OriginalFilename: name,
    ProductName: brand.displayName,
    ProductVersion: version,
  })
  resources.entries = resources.entries.filter(({ type }) => type !== 16)
  info.outputToResourceEntries(resources.entries)
}
