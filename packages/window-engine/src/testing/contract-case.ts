import type { ContractStage, Provocations } from './contract-stage.ts'

/** What a case cannot do without: real pages, or something that the engine must be made to do. */
export type ContractNeed = 'pages' | keyof Provocations

/** One case of the contract. */
export interface ContractCase {
  readonly name: string
  readonly needs?: readonly ContractNeed[]
  run(stage: ContractStage): Promise<void>
}
