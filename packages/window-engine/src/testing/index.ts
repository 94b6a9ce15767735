// Entry for tests of an engine: the contract that every engine passes. Withheld: its cases and pages.
export type { ContractWindow, EventRecord, Provocations } from './contract-stage.ts'
export { type EngineContractOptions, type EngineContractTest, engineContract } from './engine-contract.ts'
