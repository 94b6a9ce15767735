import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { anyCase, lowerCase, orElse } from '../schema/names.ts'
import { looseObject, object } from '../schema/object.ts'
import { givenText, missingOr } from '../schema/text-field.ts'
import { readInteger } from '../text/text-rules.ts'

/** A web app's answer to `selectperson`. */
export const selectPersonAnswerSchema = anyCase(
  object({
    status: z.enum(['selected', 'created']),
    userId: z.int({ error: missingOr('must be an integer') }),
    customId: givenText,
  }),
)

/** See {@link selectPersonAnswerSchema}. */
export type SelectPersonAnswer = z.output<typeof selectPersonAnswerSchema>

const text = z.pipe(
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
          z.optional(orElse(z.optional(text), undefined)),
          'Id of the person in the partner’s system; older wrappers may leave it out',
        ),
      }),
    ),
  ),
)

/** See {@link selectPersonReplySchema}. It may have further members. */
export type SelectPersonReply = Pick<
  z.output<typeof selectPersonReplySchema>,
  'status' | 'userId' | 'customId'
>
