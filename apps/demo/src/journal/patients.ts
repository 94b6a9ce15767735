import type { PayloadClaims } from '@service-link/protocol-core'
import journal from './journal.json' with { type: 'json' }

type Patient = PayloadClaims['contact'] & {
  readonly firstname: string
  readonly lastname: string
  readonly birthdate: string
}

/** Invented people. The month of their identity numbers is above 80, as for Norwegian test persons. */
export const patients: readonly Patient[] = journal.patients

export const { clinic, employees } = journal

export function patientName({ firstname, middlename, lastname }: PayloadClaims['contact']): string {
  return [firstname, middlename, lastname].filter(Boolean).join(' ')
}
