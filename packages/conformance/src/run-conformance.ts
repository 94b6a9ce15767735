import { assertParameter } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import type { PipeClientTarget } from './pipe-client/open-pipe-client.ts'
import { pipeClientRole } from './pipe-client/role.ts'
import type { ReceiverTarget } from './receiver/open-receiver.ts'
import { receiverRole } from './receiver/scenarios.ts'
import { type ConformanceReport, type RunOptions, runRole } from './run-role.ts'
import { roleNames, type Scenario } from './scenario.ts'
import type { SignerTarget } from './signer/open-signer.ts'
import { signerRole } from './signer/scenarios.ts'
import type { WrapperTarget } from './wrapper/open-wrapper.ts'
import { wrapperRole } from './wrapper/role.ts'

/** The program or address under test, by the part that it plays. */
export type ConformanceTarget =
  | ({ readonly role: 'pipe-client' } & PipeClientTarget)
  | ({ readonly role: 'wrapper' } & WrapperTarget)
  | ({ readonly role: 'signer' } & SignerTarget)
  | ({ readonly role: 'receiver' } & ReceiverTarget)

/**
 * Runs the scenarios of a role against a program or an address, one after the other. A fault is a result, never an error.
 *
 * @throws {ParameterError} if an argument or option is of another type or not known, or has an id of no scenario
 * @throws {KeyImportError} if the partner's key of a receiver cannot be used
 * @throws the signal's reason when it aborts
 * @example
 * ```ts
 * import { runConformance, writeReports } from '@service-link/conformance'
 *
 * const report = await runConformance({ role: 'pipe-client', program: ['python3', 'service_pipe.py'] })
 * await writeReports(report, 'reports')
 * console.log(report.isAsExpected)
 * ```
 */
export async function runConformance(
  target: ConformanceTarget,
  options: RunOptions = {},
): Promise<ConformanceReport> {
  assertParameter('target', target, 'object', { role: roleNames })
  assertParameter('options', options, 'closed', {
    only: 'list?',
    knownFailures: 'object?',
    timeoutMs: milliseconds,
    signal: 'signal?',
    onResult: 'function?',
  })
  if (target.role === 'receiver') return runRole(receiverRole, target, options)
  assertParameter('target', target, 'object', { program: 'list' })
  if (target.role === 'signer') return runRole(signerRole, target, options)
  return target.role === 'wrapper'
    ? runRole(wrapperRole, target, options)
    : runRole(pipeClientRole, target, options)
}

/** The scenarios of each role, for lists and for tests of the tables. */
export const scenariosOf: Readonly<
  Record<ConformanceTarget['role'], readonly Omit<Scenario<never>, 'run'>[]>
> = {
  'pipe-client': pipeClientRole.scenarios,
  wrapper: wrapperRole.scenarios,
  signer: signerRole.scenarios,
  receiver: receiverRole.scenarios,
}
