import { PackError } from '../pack-error.ts'

/** What Windows Installer compares of a version: three numbers. It ignores the fourth. */
export type ProductVersion = readonly [major: number, minor: number, build: number]

/** The largest number of each part. */
const limits: ProductVersion = [255, 255, 65_535]

/**
 * Reads what Windows Installer compares.
 *
 * @param version four parts
 * @throws {PackError} `installer` when a part is larger than Windows Installer takes
 */
export function productVersion(version: string): ProductVersion {
  const [major = 0, minor = 0, build = 0] = version.split('.').map(Number)
  const parts: ProductVersion = [major, minor, build]
  if (parts.some((part, index) => part > (limits[index] ?? 0)))
    throw new PackError(
      'installer',
      `The version ${version} is none that Windows Installer takes: its first three parts may be ${limits.join('.')} at most.`,
    )
  return parts
}

/** The lowest version that is higher than another, for a tool that cannot say “up to and including”. */
export function versionAfter([major, minor, build]: ProductVersion): string {
  if (build < limits[2]) return [major, minor, build + 1].join('.')
  if (minor < limits[1]) return [major, minor + 1, 0].join('.')
  return [major + 1, 0, 0].join('.')
}
