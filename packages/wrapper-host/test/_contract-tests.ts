import { describe, test } from 'vitest'
import { type EngineContractOptions, engineContract } from '../src/testing/contract/engine-contract.ts'

/** Holds an engine to the contract; what cannot be tried says why in its name. */
export function describeContract(title: string, options: EngineContractOptions): void {
  describe(title, () => {
    for (const { name, skipped, run } of engineContract({ waitMs: 60_000, ...options }))
      test.skipIf(skipped !== undefined)(skipped === undefined ? name : `${name} (${skipped})`, run)
  })
}
