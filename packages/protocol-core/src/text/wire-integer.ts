import { z } from 'zod'
import { missingOr } from './text-field.ts'

const problem = 'must be an integer'

/** A safe integer, or the text of one in decimal digits with surrounding white space. */
const digits = z
  .string()
  .regex(/^\s*-?\d{1,16}\s*$/)
  .transform(Number)
  .pipe(z.int())

/**
 * An integer that may arrive as a JSON number or as a decimal string: existing clients send every argument as a string.
 * Beyond 9,007,199,254,740,991 either way it is refused, because it could not be kept exactly.
 */
export const wireInteger = z.union([z.int(), digits], {
  error: missingOr(problem),
})

/** Like {@link wireInteger}, absent when missing, null or an empty string. */
export const optionalWireInteger = z
  .union(
    [
      z.int(),
      digits,
      z
        .string()
        .regex(/^\s*$/)
        .transform(() => undefined),
      z.null().transform(() => undefined),
    ],
    {
      error: problem,
    },
  )
  .optional()
