import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { strictObject } from '../schema/object.ts'
import {
  describeField,
  type PersonField,
  type PersonFieldKey,
  type PersonTransport,
  personFields,
} from './person-fields.ts'
import type { Person, WrittenProfileEntry } from './person-types.ts'
import { profileDataSchema } from './profile-data.ts'
import { textKinds } from './text-kinds.ts'

/** What a person holds in the fields of each kind. */
const kinds = {
  ...textKinds,
  userId: z.int().check(z.gte(0)),
  profileData: profileDataSchema,
} as const satisfies Readonly<Record<PersonField['kind'], z.ZodMiniType>>

type PersonShape = {
  [Field in PersonFieldKey]: z.ZodMiniOptional<(typeof kinds)[(typeof personFields)[Field]['kind']]>
}

const shape = Object.fromEntries(
  Object.entries(personFields).map(([field, row]) => [
    field,
    described(z.optional<z.ZodMiniType>(kinds[row.kind]), describeField(row)),
  ]),
) as unknown as PersonShape

/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = strictObject(shape)

/** Gender as the service keeps it. */
export type Gender = NonNullable<Person['gender']>

/** The fields of a person that a transport carries. A literal with another one does not compile: nobody would get it. */
type CarriedBy<Transport extends PersonTransport> = Pick<
  Person,
  {
    [Field in PersonFieldKey]: (typeof personFields)[Field] extends { readonly [Name in Transport]: string }
      ? Field
      : never
  }[PersonFieldKey]
>

/** A person with an identifier, of the partner's system or of the service, and a name: all that `selectperson` needs. */
export type SelectablePerson = CarriedBy<'pipe'> & {
  readonly firstname: string
  readonly lastname: string
  readonly profileData?: WrittenProfileEntry[] | undefined
} & ({ readonly customId: string } | { readonly userId: number })

/** A person of a launch, by the command line or the XML file. The brand names further required fields. */
export type LaunchPerson<Transport extends 'arguments' | 'xml'> = CarriedBy<Transport> & {
  readonly customId: string
}
