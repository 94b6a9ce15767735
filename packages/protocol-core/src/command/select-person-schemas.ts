import * as z from 'zod/mini'
import {
  describeField,
  fieldsIn,
  type PersonFieldKey,
  type PersonFieldKind,
  type personFields,
} from '../person/person-fields.ts'
import { profileDataSchema } from '../person/profile-data.ts'
import { described, withFacts, withJson } from '../schema/facts.ts'
import { object } from '../schema/object.ts'
import { optionalWireId, optionalWireInteger, textOrNull } from '../schema/text-field.ts'

/** Read with the person: one that cannot be read is left out, unless it is a name. */
const text = withJson(z.optional(z.unknown()), textOrNull)

const kinds = {
  id: optionalWireId,
  text,
  date: text,
  gender: text,
  userId: optionalWireInteger.check(
    z.refine(id => id === undefined || id >= 0, { error: 'must not be negative' }),
  ),
  profileData: withFacts(z.optional(z.unknown()), { sent: z.nullish(profileDataSchema) }),
} as const satisfies Readonly<Record<PersonFieldKind, z.ZodMiniType>>

type PipeShape = {
  -readonly [Field in PersonFieldKey as (typeof personFields)[Field] extends {
    readonly pipe: infer Name extends string
  }
    ? Name
    : never]: (typeof kinds)[(typeof personFields)[Field]['kind']]
}

const pipeFields = fieldsIn('pipe')

const shape = Object.fromEntries(
  pipeFields.map(row => [row.name, described<z.ZodMiniType>(kinds[row.kind], describeField(row, 'pipe'))]),
) as unknown as PipeShape

/** Arguments of `selectperson` as they travel (spec 4.5), under their canonical names. */
export const selectPersonArgsSchema = withJson(
  object({ id: described(optionalWireId, 'Obsolete; interpreted as customid, to which it loses'), ...shape }),
  {
    required: pipeFields.filter(({ required }) => required?.includes('pipe')).map(({ name }) => name),
    anyOf: [{ required: ['customid'] }, { required: ['id'] }, { required: ['userid'] }],
  },
)

/** See {@link selectPersonArgsSchema}. */
export type SelectPersonArgs = z.output<typeof selectPersonArgsSchema>
