import { findNearName } from '@service-link/protocol-core/errors'
import { claimNames } from '@service-link/protocol-core/person'
import { isObject, type JsonObject } from '../verify/read-token.ts'

/** Names that senders give instead of the specification's: lower case, without `_` and `-`. */
export const claimSynonyms = {
  payload: {
    clinicid: 'organizationId',
    clinicname: 'organizationName',
    companyid: 'organizationId',
    orgid: 'organizationId',
    orgname: 'organizationName',
    staffid: 'employeeId',
    userid: 'employeeId',
    username: 'employeeUsername',
    employeeemailaddress: 'employeeEmail',
    employeelogin: 'employeeUsername',
    employeesurname: 'employeeLastname',
    client: 'contact',
    customer: 'contact',
    patient: 'contact',
    person: 'contact',
    user: 'contact',
  },
  contact: {
    clientid: 'id',
    contactid: 'id',
    customerid: 'id',
    customid: 'id',
    patientid: 'id',
    personid: 'id',
    birthday: 'birthdate',
    born: 'birthdate',
    dateofbirth: 'birthdate',
    dob: 'birthdate',
    nationalid: 'ssn',
    nationalidentitynumber: 'ssn',
    socialsecuritynumber: 'ssn',
    sex: 'gender',
    forename: 'firstname',
    givenname: 'firstname',
    familyname: 'lastname',
    surname: 'lastname',
    cellphone: 'mobile',
    mobilephone: 'mobile',
    phone: 'mobile',
    phonenumber: 'mobile',
    emailaddress: 'email',
    mail: 'email',
    diagnosiscode: 'diagnosis',
  },
} as const

/** A claim that the specification does not name, and the claim that was probably meant. */
export interface NearClaim {
  /** As given: `firstName`, or `contact.firstName`. */
  readonly given: string
  /** As the specification spells it: `contact.firstname`. */
  readonly meant: string
}

/** Finds claims whose names are nearly those of the specification. Ignores one whose meant claim is there, too. */
export function findNearClaims(claims: JsonObject): readonly NearClaim[] {
  const { contact } = claims
  return [
    ...nearMembers(claims, 'payload', ''),
    ...(isObject(contact) && !Array.isArray(contact) ? nearMembers(contact, 'contact', 'contact.') : []),
  ]
}

function nearMembers(claims: JsonObject, owner: keyof typeof claimSynonyms, place: string): NearClaim[] {
  const known = claimNames[owner]
  return Object.keys(claims)
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = findNearName(name, known, claimSynonyms[owner])
      return meant === undefined || Object.hasOwn(claims, meant)
        ? []
        : [{ given: `${place}${name}`, meant: `${place}${meant}` }]
    })
}
