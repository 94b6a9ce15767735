import type { PayloadInput } from '@service-link/protocol-core'
import journal from './journal.json' with { type: 'json' }

/** A patient of the journal, in the fields of the partner link. */
export type Patient = PayloadInput['contact'] & {
  readonly firstname: string
  readonly lastname: string
  readonly birthdate: string
}

/** Invented people. The month of their identity numbers is above 80, as that of Norwegian test persons. */
export const patients: readonly Patient[] = journal.patients

/** The clinic of the journal, and who may be logged in to it, in the fields of the partner link. */
export const { clinic, employees } = journal

/** Name as the journal writes it. */
export function patientName({ firstname, middlename, lastname }: Patient): string {
  return [firstname, middlename, lastname].filter(Boolean).join(' ')
}
