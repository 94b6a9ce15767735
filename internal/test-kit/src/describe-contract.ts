import { describe, test } from 'vitest'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import {
  type EngineContractOptions,
  engineContract,
} from '../../../packages/window-engine/src/testing/engine-contract.ts'

/**
 * Checks an engine against the contract. The name of a skipped test says why.
 *
 * @param matching the part of it, by name. Default: all
 */
export function describeContract(title: string, options: EngineContractOptions, matching = /^/): void {
  describe(title, () => {
    const cases = engineContract({ waitMs: 60_000, ...options }).filter(({ name }) => matching.test(name))
    for (const { name, skipped, run } of cases)
      test.skipIf(skipped !== undefined)(skipped === undefined ? name : `${name} (${skipped})`, run)
  })
}
