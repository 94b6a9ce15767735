import { ParameterError } from '@service-link/protocol-core/errors'
import { Deadline, waitFor } from '@service-link/protocol-core/time'
import { Checks, sentenceOf } from './checks.ts'
import { type RequirementResult, requirementsVersion, resultsByRequirement } from './requirements.ts'
import {
  EndOfRun,
  NotChecked,
  type Outcome,
  type Role,
  type RoleName,
  type Scenario,
  type ScenarioResult,
} from './scenario.ts'

/** Options of a run. */
export interface RunOptions {
  /** Scenarios to run, by id. Default: all of the role. */
  readonly only?: readonly string[] | undefined
  /** Reasons of known failures, by the id of the scenario. Default: none. */
  readonly knownFailures?: Readonly<Record<string, string>> | undefined
  /** Longest time of one scenario, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Gets each result as it comes. */
  readonly onResult?: ((result: ScenarioResult) => void) | undefined
}

/** Result of a run. */
export interface ConformanceReport {
  readonly role: RoleName
  /** Command line or address of the program under test. */
  readonly target: string
  /** Version of the frozen list of requirements. */
  readonly requirementsVersion: number
  readonly begunAt: string
  readonly scenarios: readonly ScenarioResult[]
  /** Requirements that the scenarios of this run check. */
  readonly requirements: readonly RequirementResult[]
  /** Whether each scenario passed, cannot be checked here, or failed as the file of known failures says. */
  readonly isAsExpected: boolean
}

/** @throws {ParameterError} if `only` or `knownFailures` has an id that the role has not */
export async function runRole<Target, Subject extends AsyncDisposable>(
  role: Role<Target, Subject>,
  target: Target,
  { only, knownFailures = {}, timeoutMs = 30_000, signal, onResult }: RunOptions = {},
): Promise<ConformanceReport> {
  assertIds('only', role, only ?? [])
  assertIds('knownFailures', role, Object.keys(knownFailures))
  const begunAt = new Date().toISOString()
  const ending = signal ?? new AbortController().signal
  await using subject = await role.open(target, ending)
  const results: ScenarioResult[] = []
  let hasEnded = false
  for (const scenario of role.scenarios) {
    if (only && !only.includes(scenario.id)) continue
    const deadline = new Deadline(scenario.timeoutMs ?? timeoutMs, ending)
    const result: ScenarioResult = hasEnded
      ? { ...partsOf(scenario), outcome: 'skipped', skippedBecause: 'The run had ended.' }
      : await runScenario(scenario, subject, deadline, knownFailures[scenario.id], () => {
          hasEnded = true
        })
    results.push(result)
    onResult?.(result)
  }
  const isAsExpected = results.every(({ outcome }) => outcome !== 'failed' && outcome !== 'unexpected-pass')
  const requirements = resultsByRequirement(results, role.scenarios)
  return {
    role: role.name,
    target: role.describe(target),
    requirementsVersion,
    begunAt,
    scenarios: results,
    requirements,
    isAsExpected,
  }
}

function assertIds(
  option: string,
  { name, scenarios }: { readonly name: string; readonly scenarios: readonly { readonly id: string }[] },
  ids: readonly string[],
): void {
  const unknown = ids.find(id => !scenarios.some(scenario => scenario.id === id))
  if (unknown !== undefined)
    throw new ParameterError(
      `options.${option}`,
      'ids of scenarios',
      `has ${unknown}, and the role ${name} has no such scenario.`,
    )
}

/** What a result has of its scenario, before it has run. */
const partsOf = ({ id, spec, requirements, sentence }: Scenario<never>) => ({
  ...{ id, spec, requirements, sentence },
  ...{ faults: [], messageCount: 0, durationMs: 0 },
})

async function runScenario<Subject>(
  scenario: Scenario<Subject>,
  subject: Subject,
  deadline: Deadline,
  knownBecause: string | undefined,
  endRun: () => void,
): Promise<ScenarioResult> {
  const checks = new Checks()
  const begun = performance.now()
  let isKnown = knownBecause !== undefined
  using limit = deadline.limit(() => new Error(`It did not end within ${deadline.timeoutMs} ms.`))
  try {
    await waitFor(scenario.run(subject, { checks, signal: limit.signal }), limit.signal)
  } catch (error) {
    deadline.signal?.throwIfAborted()
    if (error instanceof NotChecked)
      return { ...partsOf(scenario), outcome: error.outcome, skippedBecause: error.message }
    if (error instanceof EndOfRun) {
      endRun()
      isKnown = false
    }
    checks.fail(sentenceOf(error))
  } finally {
    limit.abort(new Error('The scenario has ended.'))
  }
  const { faults, messageCount } = checks
  return {
    ...partsOf(scenario),
    outcome: outcomeOf(faults.length > 0, isKnown),
    faults,
    ...(knownBecause === undefined ? {} : { knownBecause }),
    messageCount,
    durationMs: Math.round(performance.now() - begun),
  }
}

function outcomeOf(hasFailed: boolean, isKnown: boolean): Outcome {
  if (isKnown) return hasFailed ? 'known-failure' : 'unexpected-pass'
  return hasFailed ? 'failed' : 'passed'
}
