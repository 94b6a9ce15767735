import { storeContract } from '@service-link/jwt-payload/receiver/testing'
import { describe, test } from 'vitest'
import { databaseStores } from '../support/stores.ts'

describe('[2.1] the stores in the database', () => {
  for (const { name, run } of storeContract) test(name, () => run(databaseStores))
})
