import type { Checks } from './checks.ts'

/** One row of a role's table. */
export interface Scenario<Subject> {
  /** Never changes: files of known failures name it. */
  readonly id: string
  /** Section of the interface specification, or the page of the documentation that settles what it leaves open. */
  readonly spec: string
  /** Ids of `requirements.json`. */
  readonly requirements: readonly string[]
  /** What the program does. */
  readonly sentence: string
  /** Default: that of the run. */
  readonly timeoutMs?: number
  run(subject: Subject, context: ScenarioContext): Promise<void>
}

/** What a scenario works with. */
export interface ScenarioContext {
  readonly checks: Checks
  /** Aborts at the scenario's time-out. */
  readonly signal: AbortSignal
}

/** Thrown by a scenario that cannot be checked here, or does not apply to the target. It has then neither passed nor failed. */
export class NotChecked extends Error {
  readonly outcome: 'skipped' | 'not-applicable'

  constructor(why: string, outcome: NotChecked['outcome'] = 'skipped') {
    super(why)
    this.outcome = outcome
  }
}

/** Nothing of the program can be judged: the scenario has failed, whatever is known of it, and the rest is skipped. */
export class EndOfRun extends Error {}

/** A role, and how its scenarios reach the program under test. */
export interface Role<Target, Subject extends AsyncDisposable> {
  readonly name: RoleName
  readonly scenarios: readonly Scenario<Subject>[]
  /** Command line or address, for the report. */
  describe(target: Target): string
  open(target: Target, signal: AbortSignal): Promise<Subject>
}

export const roleNames = ['pipe-client', 'wrapper', 'signer', 'receiver'] as const

/** The part that the program under test plays. */
export type RoleName = (typeof roleNames)[number]

/**
 * `known-failure` failed, and `unexpected-pass` passed, although the file of known failures names it. `skipped` could not be checked,
 * and `not-applicable` is nothing that the target has.
 */
export type Outcome = 'passed' | 'failed' | 'known-failure' | 'unexpected-pass' | 'skipped' | 'not-applicable'

/** What became of a scenario. */
export interface ScenarioResult {
  readonly id: string
  readonly spec: string
  readonly requirements: readonly string[]
  readonly sentence: string
  readonly outcome: Outcome
  /** A sentence each. */
  readonly faults: readonly string[]
  /** The reason in the file of known failures. */
  readonly knownBecause?: string | undefined
  /** Why it was not checked. */
  readonly skippedBecause?: string | undefined
  /** Messages that were read by a schema. */
  readonly messageCount: number
  readonly durationMs: number
}
