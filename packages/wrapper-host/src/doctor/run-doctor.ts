import { assertBrand, type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'
import type { Engine } from '@service-link/window-engine'
import {
  folderMembers,
  locateFolders,
  type WrapperFolders,
  wrapperVersion,
} from '../settings/wrapper-folders.ts'
import type { CheckedFinding, FindingStatus } from './doctor-check.ts'

/** Options of {@link runDoctor}, the same as for `createWrapper`. */
export interface RunDoctorOptions {
  /** Default: the specification's names. */
  readonly brand?: Brand | undefined
  /** Version of the integrator's executable. Default: this package's. */
  readonly version?: string | undefined
  /** Default: {@link locateFolders}. */
  readonly folders?: WrapperFolders | undefined
  /** The program's own engine, which is checked in place of the built-in one. Default: none. */
  readonly engine?: Engine | undefined
  /** Type names of the program's own providers. Default: none. */
  readonly providers?: readonly string[] | undefined
}

/**
 * Checks everything that a wrapper needs on this machine, like `service-webwrapper doctor`. Changes nothing, and does not disturb a
 * wrapper. The checks run at the same time, for at most ten seconds. Faults become findings, not errors.
 *
 * @throws {ParameterError} when an option is of another type or not known
 * @returns a finding of each check, in a fixed order
 * @example
 * ```ts
 * import { runDoctor } from '@service-link/wrapper-host'
 *
 * const findings = await runDoctor()
 * const problems = findings.filter(({ status }) => status === 'problem')
 * ```
 */
export async function runDoctor(options: RunDoctorOptions = {}): Promise<readonly CheckedFinding[]> {
  assertParameter('options', options, 'closed', {
    brand: 'any',
    version: 'text?',
    folders: 'any',
    engine: 'any',
    providers: 'list?',
  })
  assertParameter('options.engine', options.engine, 'object?', { name: 'text', probe: 'function' })
  assertParameter('options.folders', options.folders, 'closed?', folderMembers)
  const { brand = defaultBrand, version = wrapperVersion, engine, providers } = options
  assertBrand('options.brand', brand)
  const { folders = locateFolders(brand) } = options
  // Loaded here because a running wrapper does not need them.
  const { doctorInput, runChecks } = await import('./doctor-check.ts')
  const { extraChecks, machineChecks } = await import('./machine-checks.ts')
  const { siteChecks } = await import('./site-checks.ts')
  const { wrapperChecks } = await import('./wrapper-checks.ts')
  // In the order of a start's steps.
  const checks = { ...machineChecks, ...siteChecks, ...extraChecks, ...wrapperChecks }
  return runChecks(
    checks,
    doctorInput({ brand, version, folders, engine, providers, environment: process.env }),
  )
}

/** Adds color to the status of a finding. */
type Emphasize = (status: FindingStatus, text: string) => string

const statusWidth = 'problem'.length

/** Writes findings as a table for people. A remedy has its own line. The last line is the summary. */
export function formatFindings(
  findings: readonly CheckedFinding[],
  emphasize: Emphasize = (_, text) => text,
): string {
  const nameWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const lines = findings.flatMap(({ check, status, sentence, remedy }) => [
    `${emphasize(status, status.padEnd(statusWidth))}  ${check.padEnd(nameWidth)}  ${sentence}`,
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
