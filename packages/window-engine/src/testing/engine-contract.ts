import { assertParameter } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import type { Engine } from '../engine.ts'
import { callCases, originCases } from './call-cases.ts'
import {
  type ContractCase,
  ContractStage,
  type ContractStageOptions,
  type Provocations,
} from './contract-stage.ts'
import { lifeCases, sessionCases } from './life-cases.ts'
import { navigationCases } from './navigation-cases.ts'
import { recoveryCases } from './recovery-cases.ts'
import { ownContentCases, windowCases } from './window-cases.ts'

/** Options of {@link engineContract}. */
export interface EngineContractOptions {
  readonly engine: Engine
  /**
   * Whether the engine loads real pages from real servers. Default true. Without them, only the cases that need no more than the
   * page script are run.
   */
  readonly loadsPages?: boolean | undefined
  /** Actions from outside. A case that needs a missing one is skipped. Default: none. */
  readonly provoke?: Provocations | undefined
  /** Longest wait for an expected event or answer, in milliseconds. Default 30,000. */
  readonly waitMs?: number | undefined
}

/** One case of the contract. */
export interface EngineContractTest {
  /** Name of the test: a sentence without its subject, the engine. */
  readonly name: string
  /** Why the case is skipped; absent if it is not. */
  readonly skipped?: string | undefined
  /** Runs the case; rejects with an `AssertionError` when the engine fails it. */
  run(): Promise<void>
}

/**
 * The contract of every engine, as tests for any framework. They serve their own pages on two origins and remove their profile
 * folders. Many tests share one window, one after the other; it closes a second after the last. One test follows a link out of the web app: give the engine an `openExternal` that does nothing.
 *
 * @throws {ParameterError} when an option is of another type or not known
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
  assertParameter('options', options, 'closed', {
    engine: 'object',
    loadsPages: 'boolean?',
    provoke: 'any',
    waitMs: milliseconds,
  })
  assertParameter('options.provoke', options.provoke, 'closed?', {
    userClose: 'function?',
    userMove: 'function?',
    crashPage: 'function?',
    hangPage: 'function?',
    loseEngine: 'function?',
    press: 'function?',
  })
  const { engine, provoke = {}, waitMs = 30_000 } = options
  const shared = new SharedStage({ engine, provoke, waitMs, isShared: true })
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
  // Those that share a window follow each other, so that it stays open.
  const ordered = cases.toSorted((a, b) => Number(a.isShared) - Number(b.isShared))
  return ordered.map(contractCase => {
    const skipped = whySkipped(contractCase, options)
    return {
      name: contractCase.name,
      ...(skipped === undefined ? {} : { skipped }),
      async run() {
        if (skipped !== undefined) throw new Error(`This cannot be tried here: ${skipped}`)
        if (contractCase.isShared) return shared.run(contractCase)
        await using stage = await ContractStage.open({ engine, provoke, waitMs })
        await contractCase.run(stage)
      },
    }
  })
}

/** How long a shared window waits for the next case before it is closed, in milliseconds. */
const idleMs = 1000

/** Runs cases one after the other in one window. A case that fails costs the window. */
class SharedStage {
  readonly #options: ContractStageOptions
  #stage: ContractStage | undefined
  #timer: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ContractStageOptions) {
    this.#options = options
  }

  run(contractCase: ContractCase): Promise<void> {
    const run = this.#last.then(() => this.#run(contractCase))
    this.#last = run.catch(() => undefined)
    return run
  }

  async #run(contractCase: ContractCase): Promise<void> {
    clearTimeout(this.#timer)
    this.#stage ??= await ContractStage.open(this.#options)
    try {
      await contractCase.run(this.#stage)
      await this.#stage.tidyUp()
    } catch (error) {
      await this.#close()
      throw error
    }
    this.#timer = setTimeout(() => {
      this.#last = this.#last.then(() => this.#close())
    }, idleMs)
  }

  async #close(): Promise<void> {
    const stage = this.#stage
    this.#stage = undefined
    await stage?.[Symbol.asyncDispose]()
  }
}

function whySkipped(
  { need }: ContractCase,
  { loadsPages = true, provoke = {} }: EngineContractOptions,
): string | undefined {
  if (need === 'script') return undefined
  if (need === 'pages') return loadsPages ? undefined : 'the engine loads no real pages'
  return provoke[need] ? undefined : `the option provoke.${need} is not given`
}
