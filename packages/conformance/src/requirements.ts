import list from '@service-link/vectors/requirements.json' with { type: 'json' }
import type { ScenarioResult } from './scenario.ts'

/** Version of the list that `requirements-1.json` freezes. */
export const requirementsVersion = 1

/** A requirement, with what the run says about it. */
export interface RequirementResult {
  readonly id: string
  readonly text: string
  /** Ids of its scenarios. */
  readonly scenarios: readonly string[]
  /** Whether all of them passed. */
  readonly isMet: boolean
}

/** Leaves out requirements that no scenario of the run names. */
export function resultsByRequirement(results: readonly ScenarioResult[]): RequirementResult[] {
  return list.requirements.flatMap(({ id, text }) => {
    const own = results.filter(result => result.requirements.includes(id))
    if (own.length === 0) return []
    const isMet = own.every(({ faults }) => faults.length === 0)
    return [{ id, text, scenarios: own.map(scenario => scenario.id), isMet }]
  })
}
