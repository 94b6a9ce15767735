import { z } from 'zod';
/** Longest text of one field after surrounding white space is dropped, in UTF-16 code units. */
export const maxTextLength = 4096;
const tooLong = `is longer than ${maxTextLength} characters`;
/**
 * A text as people write it: surrounding white space is dropped, nothing else changes (no Unicode normalisation), and a
 * text that is then empty, or null, is absent.
 */
export const optionalText = z
    .string({ error: 'must be text' })
    .trim()
    .max(maxTextLength, { error: tooLong })
    .nullish()
    .transform(text => text || undefined);
/** Like {@link optionalText}, but must not be empty. */
export const requiredText = z
    .string({
    error: issue => (issue.input === undefined || issue.input === null ? 'is missing' : 'must be text'),
})
    .trim()
    .min(1, { error: 'is empty' })
    .max(maxTextLength, { error: tooLong });
