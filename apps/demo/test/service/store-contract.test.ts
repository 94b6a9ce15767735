import { storeContract } from '@service-link/jwt-payload/receiver/testing'
import { afterAll, describe, test } from 'vitest'
import { databaseStores } from '../support/stores.ts'

const stores = databaseStores()
afterAll(() => stores[Symbol.asyncDispose]())

describe('[2.1] the stores in the database', () => {
  for (const { name, run } of storeContract) test(name, () => run(stores.start))
})
