import { open, readFile } from 'node:fs/promises'
import { parseVersion } from '@service-link/protocol-core'
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit'
import type { PackPlan } from '../pack-plan.ts'

/** The subsystem of programs without a console. */
const windowsSubsystem = 2

/** American English and Unicode, which Windows prefers. */
const language = { lang: 1033, codepage: 1200 }
const iconGroup = 1

/**
 * Gives Node for Windows the names, version and icon of a brand. Removes its console and its signature, which the change makes
 * invalid.
 *
 * @param node the executable
 * @param icon a Windows icon file
 */
export function brandWindowsNode(node: Uint8Array, plan: PackPlan, icon: Uint8Array): Uint8Array {
  const executable = NtExecutable.from(node, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    iconGroup,
    language.lang,
    Data.IconFile.from(icon).icons.map(({ data }) => data),
  )
  writeVersion(resources, plan)
  resources.outputResource(executable)
  executable.newHeader.optionalHeader.subsystem = windowsSubsystem
  return new Uint8Array(executable.generate())
}

function writeVersion(resources: NtExecutableResource, { brand, version }: PackPlan): void {
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
    OriginalFilename: brand.executable,
    ProductName: brand.displayName,
    ProductVersion: version,
  })
  resources.entries = resources.entries.filter(({ type }) => type !== 16)
  info.outputToResourceEntries(resources.entries)
}

const rawData = 10
const versionInfo = 16

/**
 * Checks that a file is an executable for Windows with the brand's names.
 *
 * @returns the fault as a clause
 */
export function problemOfWindowsExecutable(
  bytes: Uint8Array,
  { brand, version }: PackPlan,
): string | undefined {
  const parsed = parse(bytes)
  if (!parsed) return 'is no executable for Windows'
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

/** Writes the checksum of an executable for Windows. Signing changes it again. */
export async function writeChecksum(file: string): Promise<void> {
  const executable = await readFile(file)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(peChecksum(executable))
  await using handle = await open(file, 'r+')
  await handle.write(checksum, 0, checksum.length, checksumOffset(executable))
}

const signatureBytes = 4
const fileHeaderBytes = 20

/** Offset of the checksum, 32 bits, in an executable for Windows. */
export function checksumOffset(executable: Buffer): number {
  return executable.readUInt32LE(0x3c) + signatureBytes + fileHeaderBytes + 64
}

/**
 * Computes the checksum of an executable for Windows: the sum of its words with the carries added, and its length. Windows checks
 * drivers only; virus scanners check all files.
 *
 * @param executable the whole file; its checksum does not count
 */
export function peChecksum(executable: Buffer): number {
  const at = checksumOffset(executable)
  let sum = 0
  for (let offset = 0; offset + 1 < executable.length; offset += 2) sum += executable.readUInt16LE(offset)
  if (executable.length % 2 === 1) sum += executable.readUInt8(executable.length - 1)
  sum -= executable.readUInt16LE(at) + executable.readUInt16LE(at + 2)
  while (sum > 0xffff) sum = (sum % 0x1_0000) + Math.floor(sum / 0x1_0000)
  return sum + executable.length
}
