import * as z from 'zod/mini'
import { ArgsError } from '../errors/command-error.ts'
import type { SelectablePerson } from '../person/person.ts'
import {
  describeField,
  fieldsIn,
  type PersonField,
  type PersonFieldKey,
  type PersonFieldKind,
  personFieldNames,
  type personFields,
} from '../person/person-fields.ts'
import type { Person } from '../person/person-types.ts'
import {
  findEntryIssues,
  findWrittenIssues,
  profileDataSchema,
  readProfileData,
} from '../person/profile-data.ts'
import { type ReadFieldsOptions, readPersonFields, writePersonFields } from '../person/read-person.ts'
import { described, withFacts, withJson } from '../schema/facts.ts'
import { anyCase, lowerCase, orElse } from '../schema/names.ts'
import { looseObject, object } from '../schema/object.ts'
import {
  givenText,
  missingOr,
  optionalWireFlag,
  optionalWireId,
  optionalWireInteger,
  textOrNull,
} from '../schema/text-field.ts'
import { readInteger, trimText } from '../text/text-rules.ts'

/** Read with the person: one that cannot be read is left out, unless it is a name. */
const unread = withJson(z.optional(z.unknown()), textOrNull)

const kinds = {
  id: optionalWireId,
  text: unread,
  date: unread,
  gender: unread,
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

const rows = fieldsIn('pipe')
const isRequired = ({ required }: PersonField) => required?.includes('pipe')

const shape = Object.fromEntries(
  rows.map(row => [row.name, described<z.ZodMiniType>(kinds[row.kind], describeField(row, 'pipe'))]),
) as unknown as PipeShape

/** Of the argument `id`. */
export const obsoleteId = 'Obsolete; interpreted as customid, to which it loses'

/** Arguments of `selectperson` as they travel (spec 4.5), under their canonical names. */
export const selectPersonArgsSchema = withJson(
  object({
    id: described(optionalWireId, obsoleteId),
    ...shape,
    receipt: described(optionalWireFlag, 'True asks for the receipt in the reply; not in the classic mode'),
  }),
  {
    required: rows.filter(isRequired).map(({ name }) => name),
    anyOf: [{ required: ['customid'] }, { required: ['id'] }, { required: ['userid'] }],
  },
)

/** See {@link selectPersonArgsSchema}. */
export type SelectPersonArgs = z.output<typeof selectPersonArgsSchema>

const required = rows.filter(isRequired).map(({ field }) => field)
const pipeFields = personFieldNames('pipe', required)
/** Read by the schema. */
const textFields = pipeFields.filter(({ field }) => field !== 'customId')

/** Most entries of profile data of one person that are noted. */
const maxNotedEntries = 10

/**
 * Turns the arguments of `selectperson` into the one person model.
 *
 * @throws {ArgsError} when names are missing, no identifier is given, or a text cannot be kept
 */
export function personFromArgs(args: Omit<SelectPersonArgs, 'receipt'>, options: ReadFieldsOptions): Person {
  const { profiledata, userid, id, customid, ...texts } = args
  const { person, issues } = readPersonFields(texts, textFields, options)
  const { entries, issues: entryIssues, dropped } = readProfileData('profiledata', profiledata)
  const customId = customid ?? id
  const all = [...issues, ...entryIssues]
  if (customId === undefined && userid === undefined)
    all.push({ path: 'customid', problem: 'is missing (customid, id or userid is needed)' })
  else if (customId === undefined && userid === 0)
    all.push({ path: 'customid', problem: 'is missing (a new user, userid 0, needs it)' })
  if (all.length > 0) throw new ArgsError(all)
  if (customId !== undefined) person.customId = customId
  if (userid !== undefined) person.userId = userid
  if (entries !== undefined) person.profileData = [...entries]
  if (dropped) options.onDropped?.(dropped)
  // They are kept as sent; the web app shows what it knows.
  for (const issue of findEntryIssues('profiledata', entries).slice(0, maxNotedEntries))
    options.onNoted?.(issue)
  return person
}

/**
 * Turns a person into the arguments of `selectperson`. A literal with a field that the pipe does not carry does not compile;
 * otherwise such fields are left out.
 *
 * @throws {ParameterError} when a field is not known or is of another kind, or the profile data are not JSON
 * @throws {ArgsError} when a name or both identifiers are missing, the date is not ISO 8601, a text cannot be carried, or an
 *   entry of the profile data is not as the specification has it; names the fields of `Person`
 */
export function argsFromPerson(person: SelectablePerson): Readonly<Record<string, unknown>> {
  const { values, issues } = writePersonFields('person', person, pipeFields)
  const { customId, userId, profileData } = person
  const all = [...issues, ...findWrittenIssues('person.profileData', 'profileData', profileData)]
  if (!trimText(customId ?? '') && !userId) {
    const who = userId === 0 ? 'a new user, userId 0, needs it' : 'customId or userId is needed'
    all.push({ path: 'customId', problem: `is missing (${who})` })
  }
  if (userId !== undefined && !(Number.isSafeInteger(userId) && userId >= 0))
    all.push({ path: 'userId', problem: 'must be a whole number, 0 or more' })
  if (all.length > 0) throw new ArgsError(all, 'Person')
  return { ...Object.fromEntries(values), userid: userId, profiledata: profileData }
}

/** A web app's answer to `selectperson`. */
export const selectPersonAnswerSchema = anyCase(
  object({
    status: described(z.enum(['selected', 'created']), 'selected or created: whether the person was there'),
    userId: described(z.int({ error: missingOr('must be an integer') }), 'Service user id'),
    customId: described(givenText, 'Id of the person in the partner’s system; may be empty'),
    employee: described(
      z.optional(givenText),
      'The signed-in user, as the web app shows them; for the receipt',
    ),
  }),
)

/** See {@link selectPersonAnswerSchema}. */
export type SelectPersonAnswer = z.output<typeof selectPersonAnswerSchema>

const textOrNumber = z.pipe(
  z.transform((value: unknown) => (Number.isSafeInteger(value) ? String(value) : value)),
  z.string(),
)

const integer = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? readInteger(value) : value)),
  z.int(),
)

const blankError = anyCase(looseObject({ error: z.nullish(z.string()) }))

/** Takes off the blank error of programs that write each member of their type. Any other one makes the answer none. */
function withoutError(answer: unknown): unknown {
  const read = z.safeParse(blankError, answer)
  if (!read.success) return undefined
  const { error: _, ...others } = read.data
  return others
}

const receiptSchema = anyCase(
  lowerCase(
    looseObject({
      time: described(z.string(), 'When the web app had drawn the person: ISO 8601, UTC'),
      focusNumber: described(z.int(), 'As in the reply'),
      employee: described(z.nullish(z.string()), 'The signed-in user, as the web app shows them'),
      userId: described(z.nullish(z.int()), 'Service user id of the person'),
      customId: described(z.nullish(z.string()), 'Id of the person in the partner’s system'),
    }),
  ),
)

/** What a journal can file: that the web app has shown this person to this user. */
export type SelectionReceipt = z.output<typeof receiptSchema>

/** Answer to `selectperson`. Whatever object a wrapper answers with, the person is in focus. */
export const selectPersonReplySchema = z.pipe(
  z.transform(withoutError),
  anyCase(
    lowerCase(
      looseObject({
        status: described(
          orElse(z.string(), ''),
          'selected or created: whether the person was there. Older wrappers may say other words',
        ),
        userId: described(
          z.optional(orElse(z.optional(integer), undefined)),
          'Service user id; older wrappers may leave it out',
        ),
        customId: described(
          z.optional(orElse(z.optional(textOrNumber), undefined)),
          'Id of the person in the partner’s system; older wrappers may leave it out',
        ),
        focusNumber: described(
          z.optional(orElse(z.optional(z.int()), undefined)),
          'Number of this change of focus; the next one has a higher one',
        ),
        receipt: described(
          z.optional(orElse(z.optional(receiptSchema), undefined)),
          'With receipt=true: what a journal can file',
        ),
      }),
    ),
  ),
)

/** What a wrapper answers to `selectperson`. It may have further members. */
export type SelectPersonReply = Pick<
  z.output<typeof selectPersonReplySchema>,
  'status' | 'userId' | 'customId' | 'focusNumber' | 'receipt'
>
