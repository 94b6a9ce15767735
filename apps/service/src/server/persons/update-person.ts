import { keepable, personSchema } from '@service-link/protocol-core'
import * as z from 'zod'
import type { Database, PersonChanges } from '../database/tables.ts'
import { ApiError } from '../http/api-error.ts'
import { hasName } from './has-name.ts'
import {
  changeOrigins,
  derivedColumnsOf,
  forgetCustomIds,
  type PersonField,
  personColumns,
  personFields,
  personFromRow,
  type Writer,
} from './person-row.ts'

/** Fields as an employee types them; `null` for an empty one. */
type TypedFields = { readonly [Field in PersonField]?: string | null | undefined }

const typedText = z
  .string()
  .refine(...keepable)
  .transform(text => text.trim() || null)
  .nullable()

const typedFields = z.partialRecord(z.enum(personFields), typedText)

/** The fields that an employee changes, and in `seen` what the page showed of them before. */
export const editSchema = z
  .intersection(typedFields, z.strictObject({ seen: typedFields.optional() }))
  .superRefine((edit, context) => {
    const { dateOfBirth, gender } = personSchema.shape
    for (const [field, schema] of Object.entries({ dateOfBirth, gender })) {
      const value = edit[field === 'gender' ? 'gender' : 'dateOfBirth']
      if (typeof value === 'string' && !schema.safeParse(value).success)
        context.addIssue({ code: 'custom', path: [field], message: 'is not acceptable' })
    }
  })

type Edit = z.output<typeof editSchema>

/**
 * Writes what an employee typed, if the person keeps a name and nobody else changed these fields meanwhile. Run it in a
 * transaction; it can be repeated.
 *
 * @returns `undefined` if the organization has no such person
 * @throws `ERR_NAME_MISSING`; `ERR_CHANGED_MEANWHILE` with its fields as `issues`
 */
export async function editPerson(
  database: Database,
  organizationId: number,
  id: number,
  { seen = {}, ...update }: Edit,
  writer: Writer,
) {
  const person = await updatePerson(database, organizationId, id, update, writer, present => {
    const changed = personFields.filter(field => {
      const [shown, value, now] = [seen[field], update[field], present[field] ?? null]
      return value !== undefined && shown !== undefined && now !== shown && now !== value
    })
    if (changed.length === 0) return
    throw new ApiError(
      'ERR_CHANGED_MEANWHILE',
      'Somebody else has changed these fields meanwhile.',
      changed.map(path => ({ path, problem: 'has changed' })),
    )
  })
  if (!person) return undefined
  if (!hasName(person)) throw new ApiError('ERR_NAME_MISSING', 'A patient needs a name.')
  if (update.customId !== undefined) await forgetCustomIds(database, person.userId)
  return person
}

/**
 * Overwrites fields; `undefined` if the organization has no such person.
 *
 * @param check gets the person before the change, which no other transaction can change now
 */
export async function updatePerson(
  database: Database,
  organizationId: number,
  id: number,
  update: TypedFields,
  writer: Writer,
  check: (present: ReturnType<typeof personFromRow>) => void = () => undefined,
) {
  // The first write locks the row until the transaction ends.
  const row = await database
    .updateTable('persons')
    .set({ updated_at: new Date().toISOString() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  check(personFromRow(row))
  const changes: PersonChanges = {}
  for (const field of personFields)
    if (update[field] !== undefined) changes[personColumns[field]] = update[field]
  const origins = changeOrigins(row, changes, writer)
  const changed = await database
    .updateTable('persons')
    .set({ ...changes, origins, ...derivedColumnsOf({ ...row, ...changes }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return personFromRow(changed)
}
