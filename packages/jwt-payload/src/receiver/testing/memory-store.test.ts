import { describe, test } from 'vitest'
import { createRateLimiter } from '../rate-limiter.ts'
import { type ContractStores, storeContractWorld } from './contract-case.ts'
import { createMemoryStore } from './memory-store.ts'
import { storeContract } from './store-contract.ts'

const { accounts } = storeContractWorld

async function memoryStores(): Promise<ContractStores> {
  const store = createMemoryStore({ accounts })
  const limiter = createRateLimiter()
  return {
    runTransaction: work => store.runTransaction(work, { isRepeatable: false }),
    auditEntries: async () => store.auditEntries(),
    rateLimiter: async () => limiter,
    async [Symbol.asyncDispose]() {},
  }
}

describe('the stores in memory', () => {
  for (const { name, run } of storeContract) test(name, () => run(memoryStores))
})
