import { z } from 'zod'

/** Longest text of one field after surrounding white space is dropped, in UTF-16 code units. */
export const maxTextLength = 4096

/** What a schema says of a value that is missing or null, and of one that is something else. */
export function missingOr(problem: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined || input === null ? 'is missing' : problem)
}

const tooLong = `is longer than ${maxTextLength} characters`

/** Tells what is wrong with a text that is longer than {@link maxTextLength}; `undefined` when nothing is. */
export function findLengthProblem(text: string): string | undefined {
  return text.length > maxTextLength ? tooLong : undefined
}

/** Nobody writes the character U+0000, and databases, XML and programs in C cannot keep it. */
const withoutNul: [(text: string) => boolean, { error: string }] = [
  text => !text.includes('\u0000'),
  { error: 'holds the character U+0000' },
]

/**
 * A text as people write it: surrounding white space is dropped, nothing else changes (no Unicode normalisation), and a
 * text that is then empty, or null, is absent.
 */
export const optionalText = z
  .string({ error: 'must be text' })
  .trim()
  .max(maxTextLength, { error: tooLong })
  .refine(...withoutNul)
  .nullish()
  .transform(text => text || undefined)

/** Like {@link optionalText}, but must not be empty. */
export const requiredText = z
  .string({ error: missingOr('must be text') })
  .trim()
  .min(1, { error: 'is empty' })
  .max(maxTextLength, { error: tooLong })
  .refine(...withoutNul)

/** A text that a transport has already trimmed: it is taken as it is, and is neither empty nor too long. */
export const trimmedText = z
  .string({ error: missingOr('must be text') })
  .min(1, { error: 'is empty' })
  .max(maxTextLength, { error: tooLong })
  .refine(...withoutNul)
