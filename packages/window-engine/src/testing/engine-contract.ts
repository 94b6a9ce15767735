import type { Engine } from '../engine.ts'
import { callCases, originCases } from './call-cases.ts'
import { type ContractCase, type ContractNeed, ContractStage, type Provocations } from './contract-stage.ts'
import { lifeCases, sessionCases } from './life-cases.ts'
import { navigationCases } from './navigation-cases.ts'
import { recoveryCases } from './recovery-cases.ts'
import { ownContentCases, windowCases } from './window-cases.ts'

/** Options of {@link engineContract}. */
export interface EngineContractOptions {
  readonly engine: Engine
  /**
   * Whether the engine loads real pages from real servers. Default true. One that does not is held to the part of the contract
   * that the page script alone can see.
   */
  readonly loadsPages?: boolean
  /** What the engine cannot be made to do through its own port. Cases that need what is missing are skipped. Default: none. */
  readonly provoke?: Provocations
  /** Longest wait for anything that must happen, in milliseconds. Default 30,000. */
  readonly waitMs?: number
}

/** One thing that every engine must do. */
export interface EngineContractTest {
  /** A sentence that begins with `an engine`'s verb, for the test's name. */
  readonly name: string
  /** Why it cannot be tried here; absent: it can. */
  readonly skipped?: string
  /** Tries it; rejects with an `AssertionError` when the engine does otherwise. Opens and closes windows of its own. */
  run(): Promise<void>
}

/**
 * What every engine must do, as tests for any framework, in the order of their importance. Each serves its pages from a server of
 * its own, on two origins, and removes the profile folders that it made. One follows a link out of the web app: give the engine an
 * `openExternal` that does nothing where no browser is to be opened.
 *
 * @example
 * ```ts
 * import test from 'node:test'
 * import { createChromiumEngine } from '@service-link/window-engine'
 * import { engineContract } from '@service-link/window-engine/testing'
 *
 * const engine = createChromiumEngine({ isHeadless: true })
 * for (const { name, skipped, run } of engineContract({ engine })) test(name, { skip: skipped ?? false }, run)
 * ```
 */
export function engineContract(options: EngineContractOptions): readonly EngineContractTest[] {
  const cases = [
    ...lifeCases,
    ...callCases,
    ...originCases,
    ...navigationCases,
    ...windowCases,
    ...sessionCases,
    ...recoveryCases,
    ...ownContentCases,
  ]
  return cases.map(contractCase => {
    const skipped = whySkipped(contractCase, options)
    return {
      name: contractCase.name,
      ...(skipped === undefined ? {} : { skipped }),
      async run() {
        if (skipped !== undefined) throw new Error(`This cannot be tried here: ${skipped}`)
        const { engine, provoke = {}, waitMs = 30_000 } = options
        await using stage = await ContractStage.open({ engine, provoke, waitMs })
        await contractCase.run(stage)
      },
    }
  })
}

function whySkipped(
  { needs = [] }: ContractCase,
  { loadsPages = true, provoke = {} }: EngineContractOptions,
): string | undefined {
  const isMissing = (need: ContractNeed) => (need === 'pages' ? !loadsPages : provoke[need] === undefined)
  const missing = needs.find(isMissing)
  if (missing === undefined) return undefined
  return missing === 'pages' ? 'the engine loads no real pages' : `the option provoke.${missing} is not given`
}
