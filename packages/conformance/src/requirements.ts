import list from '@service-link/vectors/requirements.json' with { type: 'json' }
import type { Scenario, ScenarioResult } from './scenario.ts'

/** Version of the list that `requirements-1.json` freezes. */
export const requirementsVersion = 1

/** A requirement, with what the run says about it. */
export interface RequirementResult {
  readonly id: string
  readonly text: string
  /** Ids of its scenarios. */
  readonly scenarios: readonly string[]
  /** `met` if all of them passed, `not-checked` if none failed, and at least one did not run. */
  readonly state: 'met' | 'not-met' | 'not-checked'
}

/** Leaves out requirements that no scenario of the run names. */
export function resultsByRequirement(
  results: readonly ScenarioResult[],
  table: readonly Pick<Scenario<never>, 'id' | 'requirements'>[],
): RequirementResult[] {
  return list.requirements.flatMap(({ id, text }) => {
    const named = results.filter(result => result.requirements.includes(id))
    const own = named.filter(({ outcome }) => outcome !== 'not-applicable')
    if (own.length === 0) return []
    const all = table.filter(({ requirements }) => requirements.includes(id)).length
    const ran = own.filter(({ outcome }) => outcome !== 'skipped')
    const hasFailed = ran.some(({ faults }) => faults.length > 0)
    const state = hasFailed
      ? 'not-met'
      : ran.length < all - (named.length - own.length)
        ? 'not-checked'
        : 'met'
    return [{ id, text, scenarios: own.map(scenario => scenario.id), state }]
  })
}
