import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../ports.ts'
import { createRateLimiter } from '../rate-limiter.ts'
import { type ContractStores, storeContractWorld } from './contract-case.ts'
import { createMemoryStore } from './memory-store.ts'
import { storeContract } from './store-contract.ts'

const { accounts, now } = storeContractWorld

async function memoryStores(): Promise<ContractStores> {
  const store = createMemoryStore({ accounts, clock: () => now })
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

  test('keep the newest 10,000 entries of the audit log', async () => {
    const store = createMemoryStore({ accounts })
    const entry: AuditEntry = {
      at: now,
      requestId: '',
      event: 'post',
      outcome: 'signed-in',
      partnerId: 'p',
      organizationId: 'o',
      accountId: 'a',
      employeeDigest: undefined,
    }
    await store.runTransaction(
      async ({ audit }) => {
        for (let count = 0; count < 10_003; count++)
          await audit.record({ ...entry, requestId: String(count) })
      },
      { isRepeatable: false },
    )
    const kept = store.auditEntries().map(({ requestId }) => Number(requestId))
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, 3, 10_002])
  })
})
