import { describe, test } from 'vitest'
import { type ContractStores, storeContractWorld } from './contract-case.ts'
import { createMemoryStore } from './memory-store.ts'
import { storeContract } from './store-contract.ts'

const { accounts } = storeContractWorld

async function memoryStores(): Promise<ContractStores> {
  const store = createMemoryStore({ accounts })
  return {
    runTransaction: work => store.runTransaction(work, { isRepeatable: false }),
    auditEntries: async () => store.auditEntries(),
    async [Symbol.asyncDispose]() {},
  }
}

describe('the stores in memory', () => {
  for (const { name, run } of storeContract) test(name, () => run(memoryStores))
})
