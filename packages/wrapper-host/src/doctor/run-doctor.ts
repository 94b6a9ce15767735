import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { locateFolders, type WrapperFolders, wrapperVersion } from '../settings/wrapper-folders.ts'
import type { CheckedFinding, FindingStatus } from './doctor-check.ts'

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
  const { doctorContext, runChecks } = await import('./doctor-check.ts')
  const { extraChecks, machineChecks } = await import('./machine-checks.ts')
  const { siteChecks } = await import('./site-checks.ts')
  const { logChecks, wrapperChecks } = await import('./wrapper-checks.ts')
  // What a start needs first is told first.
  const checks = { ...machineChecks, ...siteChecks, ...wrapperChecks, ...extraChecks, ...logChecks }
  return runChecks(checks, doctorContext({ brand, version, folders, environment: process.env }))
}

/** Makes a mark stand out where it is shown; the text itself stays. */
export type Emphasise = (status: FindingStatus, text: string) => string

const statusWidth = 'problem'.length

/** Writes findings as a table for people, with what to do in a line of its own, and a last line that sums them up. */
export function formatFindings(
  findings: readonly CheckedFinding[],
  emphasise: Emphasise = (_, text) => text,
): string {
  const nameWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const lines = findings.flatMap(({ check, status, sentence, remedy }) => [
    `${emphasise(status, status.padEnd(statusWidth))}  ${check.padEnd(nameWidth)}  ${sentence}`,
    ...(remedy === undefined ? [] : [`${indent}→ ${remedy}`]),
  ])
  return `${[...lines, '', summaryOf(findings)].join('\n')}\n`
}

function summaryOf(findings: readonly CheckedFinding[]): string {
  const count = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length
  const problems = count('problem')
  const warnings = count('warning')
  if (problems + warnings === 0) return 'Nothing is wrong.'
  return `Problems: ${problems}. Warnings: ${warnings}.`
}
