import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { locateFolders, type WrapperFolders, wrapperVersion } from '../settings/wrapper-folders.ts'
import type { CheckedFinding } from './run-checks.ts'

/** What {@link runDoctor} looks at; the same as `createWrapper` gets. */
export interface RunDoctorOptions {
  /** Default: the specification's names. */
  readonly brand?: Brand
  /** Version of the integrator's executable. Default: this package's. */
  readonly version?: string
  /** Default: as `SERVICE_WRAPPER_ROOT`, `SERVICE_WRAPPER_DATA` and the platform say. */
  readonly folders?: WrapperFolders
}

/**
 * Looks at everything that a wrapper needs on this machine, as `service-webwrapper doctor` does. Changes nothing, and does not
 * disturb a wrapper that runs or starts. Each check takes at most ten seconds, all at the same time; never rejects for what it finds.
 *
 * @returns a finding of each check, in the order of the guide
 * @example
 * ```ts
 * import { runDoctor } from '@service-link/wrapper-host'
 *
 * const findings = await runDoctor()
 * const problems = findings.filter(({ status }) => status === 'problem')
 * ```
 */
export async function runDoctor(options: RunDoctorOptions = {}): Promise<readonly CheckedFinding[]> {
  const { brand = defaultBrand, version = wrapperVersion, folders = locateFolders(brand) } = options
  // Only now: a wrapper that runs has no use for them.
  const { doctorContext } = await import('./doctor-context.ts')
  const { allChecks } = await import('./all-checks.ts')
  const { runChecks } = await import('./run-checks.ts')
  return runChecks(allChecks, doctorContext({ brand, version, folders, environment: process.env }))
}
