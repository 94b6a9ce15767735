import { storeContract } from '@service-link/receiver/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { databaseRateLimiter } from '../../src/server/partner-link/receiver-stores.ts'
import { databaseStores, makeTestDatabase } from '../support/stores.ts'

const stores = databaseStores()
afterAll(() => stores[Symbol.asyncDispose]())

describe('[2.1] the stores in the database', () => {
  for (const { name, run } of storeContract(stores.start)) test(name, run)

  test('let exactly the budget of 20, 130 or 600 posts through two processes at once', async () => {
    await using testDatabase = await makeTestDatabase()
    const processes = [await testDatabase.open(), await testDatabase.open()]
    const limiters = processes.map(({ database }) => databaseRateLimiter(database))
    const [now, next] = [new Date('2026-11-21T12:00:20Z'), new Date('2026-11-21T12:01:20Z')]
    for (const max of [20, 130, 600])
      for (const at of [now, next]) {
        const take = (index: number) => limiters[index % 2]?.take(`p${max}`, max, at)
        const takeAtOnce = (count: number) =>
          Promise.all(Array.from({ length: count }, (_, index) => take(index)))
        const decisions = await takeAtOnce(max + 50)
        // One process cannot use the share of the other: both ask until nothing is left.
        const rest = await takeAtOnce(max)
        expect([...decisions, ...rest].filter(decision => decision?.isAllowed)).toHaveLength(max)
      }
  })
})
