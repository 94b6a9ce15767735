// Entry for tests of an engine of your own: the contract that every engine passes. Withheld: the pages that it loads.
export type { ContractWindow, Provocations } from './contract-stage.ts'
export { type EngineContractOptions, type EngineContractTest, engineContract } from './engine-contract.ts'
export type { EventRecord } from './event-record.ts'
