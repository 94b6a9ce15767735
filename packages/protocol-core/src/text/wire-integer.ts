import { z } from 'zod'

/** An integer that may arrive as a JSON number or as a decimal string: existing clients send every argument as a string. */
export const wireInteger = z
  .union([z.int({ error: 'must be an integer' }), z.string().regex(/^\s*-?\d{1,16}\s*$/, { error: 'must be an integer' })], {
    error: issue => (issue.input === undefined ? 'is missing' : 'must be an integer'),
  })
  .transform(Number)
  .refine(Number.isSafeInteger, { error: 'must be an integer' })

/** Like {@link wireInteger}, absent when missing, null or an empty string. */
export const optionalWireInteger = z
  .union(
    [
      wireInteger,
      z
        .string()
        .regex(/^\s*$/)
        .transform(() => undefined),
      z.null().transform(() => undefined),
    ],
    {
      error: 'must be an integer',
    },
  )
  .optional()
