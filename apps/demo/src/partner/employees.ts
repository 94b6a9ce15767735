/** Somebody who works with the journal, in the fields of the partner link. */
export interface JournalEmployee {
  readonly employeeId: string
  readonly employeeUsername: string
  readonly employeeFirstname: string
  readonly employeeLastname: string
  readonly employeeEmail: string
}

/** The clinic that the journal belongs to. */
export const clinic = {
  organizationId: '5f6d1b1e-0a3c-4c57-9b2f-8e7d6c5b4a39',
  organizationName: 'Fjordklinikken',
} as const

/** Who may be logged in to the journal. */
export const employees: readonly JournalEmployee[] = [
  {
    employeeId: 'e-1001',
    employeeUsername: 'ingsol',
    employeeFirstname: 'Ingrid',
    employeeLastname: 'Solberg',
    employeeEmail: 'ingrid.solberg@fjordklinikken.example',
  },
  {
    employeeId: 'e-1002',
    employeeUsername: 'samoka',
    employeeFirstname: 'Samuel',
    employeeLastname: 'Okafor',
    employeeEmail: 'samuel.okafor@fjordklinikken.example',
  },
]
