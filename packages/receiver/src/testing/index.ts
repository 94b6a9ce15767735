// Entry for tests of a service and for trials. Withheld: the single stores in memory, because they share one transaction.

export type { ContractStores, StoreContractWorld } from './contract-case.ts'
export {
  createMemorySessions,
  createMemoryStore,
  type MemoryContact,
  type MemoryStore,
  type MemoryStoreOptions,
} from './memory-store.ts'
export { type StoreContractCase, storeContract } from './store-contract.ts'
