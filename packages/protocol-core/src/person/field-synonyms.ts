import { findNearName, foldName } from '../errors/parameter-error.ts'
import { allFields, type PersonFieldKey, type PersonTransport } from './person-fields.ts'

/** Words of senders that no transport has; lower case, without `_` and `-`. */
const otherWords: Readonly<Partial<Record<PersonFieldKey, readonly string[]>>> = {
  customId: ['clientid', 'contactid', 'customerid', 'customerno', 'patientid', 'personid'],
  firstname: ['forename', 'givenname'],
  lastname: ['familyname', 'surname'],
  dateOfBirth: ['birthday', 'dob'],
  ssn: ['nationalid', 'nationalidentitynumber', 'socialsecuritynumber'],
  email: ['emailaddress', 'mail'],
  mobile: ['cellphone', 'mobilephone', 'phone', 'phonenumber'],
  gender: ['sex'],
  diagnosis: ['diagnosiscode'],
}

/**
 * Other words for the names of a person's fields: those of the other transports and of programs, and common ones. For `findNearName`.
 *
 * @param transport whose names are meant; default: those of programs
 */
export function fieldSynonyms(transport?: PersonTransport): Readonly<Record<string, string>> {
  const synonyms: Record<string, string> = {}
  for (const [field, row] of allFields) {
    const name = transport ? row[transport] : field
    if (name === undefined) continue
    const { contact = '', arguments: argument = '', xml = '', pipe = '' } = row
    const words = [field, contact, argument, xml, pipe, ...(otherWords[field] ?? [])]
    for (const word of words) synonyms[foldName(word)] = name
  }
  return synonyms
}

/** Whether a name, in any case, is that of a field which only other transports carry. */
export function isFieldOfOthers(name: string, transport: PersonTransport): boolean {
  return allFields.some(
    ([, row]) =>
      row[transport] === undefined &&
      [row.contact, row.arguments, row.xml, row.pipe].includes(name.toLowerCase()),
  )
}

/** All words for a person's fields, each as one for `person`: for options in which somebody wrote the fields themselves. */
export function personSynonyms(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(fieldSynonyms()).map(word => [word, 'person']))
}

/** Most characters of an argument in which a name is looked for. */
const maxLooked = 100

/**
 * Finds the argument that a text begins with in another spelling: `--id=4711`, `/id:4711`, `I D=4711`, `birthdate=`. A word alone may
 * be half of a value, so it must be a name.
 */
export function findArgument(
  text: string,
  names: readonly string[],
  synonyms: Readonly<Record<string, string>>,
): string | undefined {
  const [, typed = '', sign] =
    /^[-/]*([a-z_][\w. -]*?)\s*(?:([=:＝]).*)?$/is.exec(text.slice(0, maxLooked)) ?? []
  const name = typed.replaceAll(/[\s.]/g, '')
  const isAlone = sign === undefined && !text.startsWith('-')
  const meant = isAlone ? name.toLowerCase() : findNearName(name, names, synonyms)
  return names.find(known => known === meant)
}
