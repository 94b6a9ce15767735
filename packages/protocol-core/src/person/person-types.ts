// Generated from the schemas by `npm run schemas`.

import type { JsonValue } from '../frame/parse-json.ts'

/** The person in focus, the same value whichever transport it came by. Absent text is absent, never empty. */
export interface Person {
  /** Identifier of the person in the partner’s system. */
  customId?: string | undefined
  /** Service user id; 0 tells the service that this is a new user. */
  userId?: number | undefined
  /** First name, or names. */
  firstname?: string | undefined
  /** Middle name. */
  middlename?: string | undefined
  /** Last name. */
  lastname?: string | undefined
  /** Date of birth, YYYY-MM-DD. */
  dateOfBirth?: string | undefined
  /** National identity number. */
  ssn?: string | undefined
  /** E-mail address. */
  email?: string | undefined
  /** Mobile phone number. */
  mobile?: string | undefined
  /** Phone number at home. */
  phoneHome?: string | undefined
  /** Phone number at work. */
  phoneWork?: string | undefined
  /** Street address. */
  address?: string | undefined
  /** Postal code. */
  zipcode?: string | undefined
  /** Town or place. */
  location?: string | undefined
  /** Country, as the sender writes it. */
  country?: string | undefined
  /** female or male. */
  gender?: 'female' | 'male' | undefined
  /** Gender of the partner link as sent, if it is neither female nor male. */
  genderAsSent?: string | undefined
  /** Diagnosis code. */
  diagnosis?: string | undefined
  /** The sender’s own system, where it has several. */
  source?: string | undefined
  /** Profile-data entries. */
  profileData?: ProfileEntry[] | undefined
}

/** A profile-data entry (spec 2.3), as its sender wrote it: a known member may be missing or of another type, and there may be others. */
export interface ProfileEntry {
  [member: string]: JsonValue | undefined
  /** Defined by the service so that the structured data can be used. */
  key?: JsonValue | undefined
  /** Display name; may equal key. */
  name?: JsonValue | undefined
  /** Text or number; in a unit if there is one. */
  value?: JsonValue | undefined
  /** Unit of the value, if any. */
  unit?: JsonValue | undefined
  /** yyyy-MM-dd hh:mm:ss | yyyy-MM-dd hh:mm | yyyy-MM-dd. */
  date?: JsonValue | undefined
  /** Source of the data. */
  source?: JsonValue | undefined
  /** Optional text or comment. */
  description?: JsonValue | undefined
}

/** A profile-data entry as a program of ours writes it. */
export interface WrittenProfileEntry extends ProfileEntry {
  key: string
  name?: string | null | undefined
  value?: string | number | null | undefined
  unit?: string | null | undefined
  date?: string | null | undefined
  source?: string | null | undefined
  description?: string | null | undefined
}

/** The person in focus, in the partner link (spec 2.1). */
export interface ContactClaims {
  /** Identifier of the person in the partner’s system; globally unique, preferably a national identity number. */
  id: string
  /** First name, or names. */
  firstname?: string | undefined
  /** Middle name. */
  middlename?: string | undefined
  /** Last name. */
  lastname?: string | undefined
  /** Date of birth, YYYY-MM-DD. */
  birthdate?: string | undefined
  /** National identity number. */
  ssn?: string | undefined
  /** E-mail address. */
  email?: string | undefined
  /** Mobile phone number. */
  mobile?: string | undefined
  /** female or male; another word is kept as sent. */
  gender?: string | undefined
  /** Diagnosis code. */
  diagnosis?: string | undefined
  /** Claims of the partner’s own. */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** Claims of the partner link (spec 2.1). */
export interface PayloadClaims {
  /** The partner’s ID of the organization. */
  organizationId: string
  /** Name of the organization, for people. */
  organizationName?: string | undefined
  /** The partner’s ID of the employee: the user who is logged in to the partner’s application. */
  employeeId: string
  /** The employee’s user name in the partner’s application. */
  employeeUsername?: string | undefined
  /** The employee’s first name. */
  employeeFirstname?: string | undefined
  /** The employee’s last name. */
  employeeLastname?: string | undefined
  /** The employee’s e-mail address. */
  employeeEmail?: string | undefined
  /** The person in focus. */
  contact: ContactClaims
  /** Claims of the partner’s own. */
  extra?: Readonly<Record<string, unknown>> | undefined
}

/** Claims of a signed end, by which a partner takes back what its payloads of an employee opened. */
export interface EndClaims {
  /** The partner’s ID of the organization. */
  organizationId: string
  /** Name of the organization, for people. */
  organizationName?: string | undefined
  /** The partner’s ID of the employee: the user who is logged in to the partner’s application. */
  employeeId: string
  /** The employee’s user name in the partner’s application. */
  employeeUsername?: string | undefined
  /** The employee’s first name. */
  employeeFirstname?: string | undefined
  /** The employee’s last name. */
  employeeLastname?: string | undefined
  /** The employee’s e-mail address. */
  employeeEmail?: string | undefined
  /** context: nobody is in focus any more; session: the employee is signed out, too. */
  end: 'context' | 'session'
  contact?: undefined
  /** Claims of the partner’s own. */
  extra?: Readonly<Record<string, unknown>> | undefined
}
