// The fields of a person. No schema is here: a second launch, which loads no schema library, checks a brand by them.

/** A way in which a person reaches the wrapper or the service. `contact` is the partner link's. */
export type PersonTransport = 'contact' | 'arguments' | 'xml' | 'pipe'

/** What a field holds. `person.ts` has the schema of each kind. */
export type PersonFieldKind = 'id' | 'text' | 'date' | 'gender' | 'userId' | 'profileData'

type PerTransport = { readonly [Transport in PersonTransport]?: string | undefined }

/** A field of a person, with its name in each transport that carries it. */
export interface PersonField extends PerTransport {
  readonly kind: PersonFieldKind
  /** One clause without a full stop, for JSON Schemas, help and documents. */
  readonly about: string
  /** What a transport's sender must know besides. */
  readonly notes?: PerTransport | undefined
  /** Transports that always require it. The brand names those that command line and XML file require. */
  readonly required?: readonly PersonTransport[] | undefined
}

const everywhere = <const Name extends string>(name: Name) =>
  ({ contact: name, arguments: name, xml: name, pipe: name }) as const

const inWrapper = <const Name extends string, const Xml extends string>(name: Name, xml: Xml) =>
  ({ arguments: name, xml, pipe: name }) as const

/** A note for each of the wrapper's transports. */
const forWrapper = (note: string) => ({ arguments: note, xml: note, pipe: note })

/**
 * The only list of a person's fields, under their names in programs (design: person, one model). Types, schemas, arguments, elements,
 * claims, JSON Schemas and the tables of the documents are derived from it.
 */
export const personFields = {
  customId: {
    kind: 'id',
    about: 'Identifier of the person in the partner’s system',
    contact: 'id',
    arguments: 'id',
    xml: 'source_customerno',
    pipe: 'customid',
    notes: {
      contact: 'globally unique, preferably a national identity number',
      arguments: 'text, so leading zeros stay',
      xml: 'text, so leading zeros stay',
    },
  },
  userId: {
    kind: 'userId',
    about: 'Service user id; 0 tells the service that this is a new user',
    pipe: 'userid',
  },
  firstname: { kind: 'text', about: 'First name, or names', ...everywhere('firstname'), required: ['pipe'] },
  middlename: { kind: 'text', about: 'Middle name', contact: 'middlename' },
  lastname: { kind: 'text', about: 'Last name', ...everywhere('lastname'), required: ['pipe'] },
  dateOfBirth: {
    kind: 'date',
    about: 'Date of birth, YYYY-MM-DD',
    ...inWrapper('dateofbirth', 'born'),
    contact: 'birthdate',
    notes: forWrapper(
      'else year first, RFC 1123, or as the wrapper’s culture writes a date; a time does not count',
    ),
  },
  ssn: { kind: 'text', about: 'National identity number', contact: 'ssn' },
  email: { kind: 'text', about: 'E-mail address', ...everywhere('email') },
  mobile: { kind: 'text', about: 'Mobile phone number', ...everywhere('mobile') },
  phoneHome: { kind: 'text', about: 'Phone number at home', ...inWrapper('phonehome', 'phone_home') },
  phoneWork: { kind: 'text', about: 'Phone number at work', ...inWrapper('phonework', 'phone_work') },
  address: { kind: 'text', about: 'Street address', ...inWrapper('address', 'address') },
  zipcode: { kind: 'text', about: 'Postal code', ...inWrapper('zipcode', 'postalcode') },
  location: { kind: 'text', about: 'Town or place', ...inWrapper('location', 'place') },
  country: { kind: 'text', about: 'Country, as the sender writes it', ...inWrapper('country', 'country') },
  gender: {
    kind: 'gender',
    about: 'female or male',
    contact: 'gender',
    arguments: 'gender',
    pipe: 'gender',
    notes: {
      ...forWrapper('also F, M, Kvinne, Mann and the like, in any case'),
      contact: 'another word is kept as sent',
    },
  },
  genderAsSent: {
    kind: 'text',
    about: 'Gender of the partner link as sent, if it is neither female nor male',
  },
  diagnosis: { kind: 'text', about: 'Diagnosis code', contact: 'diagnosis' },
  source: {
    kind: 'text',
    about: 'The sender’s own system, where it has several',
    xml: 'source',
    pipe: 'source',
  },
  profileData: { kind: 'profileData', about: 'Profile-data entries', pipe: 'profiledata' },
} as const satisfies Readonly<Record<string, PersonField>>

/** Name of a person's field in programs. */
export type PersonFieldKey = keyof typeof personFields

/** Each field, under its name in programs. */
export const allFields = Object.entries(personFields) as readonly (readonly [PersonFieldKey, PersonField])[]

/** A field with its name in one transport. */
type FieldIn = PersonField & { readonly field: PersonFieldKey; readonly name: string }

function fieldsOf(transport: PersonTransport): readonly FieldIn[] {
  return allFields.flatMap(([field, row]) => {
    const name = row[transport]
    return name === undefined ? [] : [{ ...row, field, name }]
  })
}

/** Made once: each parse asks for them. */
const fields: Readonly<Record<PersonTransport, readonly FieldIn[]>> = {
  contact: fieldsOf('contact'),
  arguments: fieldsOf('arguments'),
  xml: fieldsOf('xml'),
  pipe: fieldsOf('pipe'),
}

/** The fields that a transport carries, with its names for them. Each name stands once. */
export function fieldsIn(transport: PersonTransport): readonly FieldIn[] {
  return fields[transport]
}

/** What is said of a field to the senders of a transport. */
export function describeField({ about, notes }: PersonField, transport?: PersonTransport): string {
  const note = transport && notes?.[transport]
  return note === undefined ? about : `${about}; ${note}`
}

/** A field that a transport carries as one text. */
export type PersonTextField = {
  [Field in PersonFieldKey]: (typeof personFields)[Field]['kind'] extends 'userId' | 'profileData'
    ? never
    : Field
}[PersonFieldKey]

/** The name of a person's field in a transport that carries only text. */
export interface PersonFieldName {
  readonly field: Exclude<PersonTextField, 'genderAsSent'>
  /** The transport's name of the field. */
  readonly name: string
  readonly isRequired?: boolean | undefined
}

/** The texts of one transport, for `readPersonFields` and `writePersonFields`. */
export function personFieldNames(
  transport: PersonTransport,
  required: readonly PersonFieldKey[],
): readonly PersonFieldName[] {
  return fieldsIn(transport).flatMap(({ field, kind, name }) =>
    kind === 'userId' || kind === 'profileData'
      ? []
      : [{ field: field as PersonFieldName['field'], name, isRequired: required.includes(field) }],
  )
}
