import { z } from 'zod'

/** Longest text of one field, in UTF-16 code units. */
export const maxTextLength = 4096

/**
 * A text as people write it: surrounding white space is dropped, nothing else changes (no Unicode normalisation), and a
 * text that is then empty is absent.
 */
export const optionalText = z
  .string({ error: 'must be text' })
  .max(maxTextLength, { error: `is longer than ${maxTextLength} characters` })
  .transform(text => text.trim() || undefined)
  .nullish()
  .transform(text => text ?? undefined)

/** Like {@link optionalText}, but must not be empty. */
export const requiredText = z
  .string({
    error: issue => (issue.input === undefined || issue.input === null ? 'is missing' : 'must be text'),
  })
  .max(maxTextLength, { error: `is longer than ${maxTextLength} characters` })
  .transform(text => text.trim())
  .refine(text => text !== '', { error: 'is empty' })
