import * as z from 'zod/mini'
import {
  findTextProblem,
  integerText,
  maxTextLength,
  readFlag,
  readLooseText,
  trimId,
  trimText,
} from '../text/text-rules.ts'
import { withJson } from './facts.ts'

/** Messages of a schema for a missing or null value and for a value of another type. */
export function missingOr(problem: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined || input === null ? 'is missing' : problem)
}

/** {@link findTextProblem} as a refinement. */
export const keepable: [
  (text: string) => boolean,
  { error: (issue: { input: unknown }) => string | undefined },
] = [text => findTextProblem(text) === undefined, { error: ({ input }) => findTextProblem(String(input)) }]

/** Trims a text and checks it by {@link findTextProblem}. For transforms: zod runs them in less time than checks. */
function readText(
  sent: string,
  context: z.core.ParsePayload,
  trim: (text: string) => string,
  whenEmpty?: string,
): string {
  const input = trim(sent)
  const message = input === '' ? whenEmpty : findTextProblem(input)
  if (message !== undefined) context.issues.push({ code: 'custom', message, input })
  return input
}

/**
 * A text as people write it. Drops surrounding white space and changes nothing else (no Unicode normalization). Empty
 * text, one that nobody sees, and null are absent.
 */
export const optionalText = optionalOf(trimText)

/** Like {@link optionalText}, without invisible characters at its ends. */
export const optionalId = optionalOf(trimId)

function optionalOf(trim: (text: string) => string) {
  const text = withJson(z.string({ error: 'must be text' }), { maxLength: maxTextLength })
  return z.optional(
    z.pipe(
      z.nullable(text),
      z.transform((sent, context): string | undefined => readText(sent ?? '', context, trim) || undefined),
    ),
  )
}

/** A text that is kept unchanged, and may be empty. */
export const givenText = textOf(text => text, undefined, { maxLength: maxTextLength })

const filled = { minLength: 1, maxLength: maxTextLength }

/** Like {@link givenText}, but must not be empty: a transport has already trimmed it. */
export const trimmedText = textOf(text => text, 'is empty', filled)

/** Like {@link optionalId}, but must not be empty. */
export const requiredId = textOf(trimId, 'is empty', filled)

function textOf(
  trim: (text: string) => string,
  whenEmpty: string | undefined,
  json: z.core.JSONSchema.BaseSchema,
) {
  return z.pipe(
    withJson(z.string({ error: missingOr('must be text') }), json),
    z.transform((sent, context): string => readText(sent, context, trim, whenEmpty)),
  )
}

/** Reads a text of the pipe, which may be a number. Adds an issue, and returns empty text, if that fails. */
function readWireText(
  value: unknown,
  context: z.core.ParsePayload,
  trim: (text: string) => string,
  whenEmpty?: string,
): string {
  const loose = readLooseText(value)
  const text = trim(loose.text)
  const problem = loose.problem ?? findTextProblem(text) ?? (text === '' ? whenEmpty : undefined)
  if (problem === undefined) return text
  context.issues.push({ code: 'custom', message: problem, input: value })
  return ''
}

/** What a JSON Schema says of a text that may be left out. */
export const textOrNull: z.core.JSONSchema.BaseSchema = { type: ['string', 'null'], maxLength: maxTextLength }

/** Like {@link optionalText}; programs in the field also send a number. */
export const optionalWireText = optionalWireOf(text => text)

/** Like {@link optionalId}; programs in the field also send a number. */
export const optionalWireId = optionalWireOf(trimId)

function optionalWireOf(trim: (text: string) => string) {
  return withJson(
    z.pipe(
      z.optional(z.unknown()),
      z.transform((value, context) => readWireText(value, context, trim) || undefined),
    ),
    textOrNull,
  )
}

/** Like {@link trimmedText}, trimmed; programs in the field also send a number. */
export const requiredWireText = requiredWireOf(text => text)

/** Like {@link requiredId}; programs in the field also send a number. */
export const requiredWireId = requiredWireOf(trimId)

function requiredWireOf(trim: (text: string) => string) {
  return withJson(
    z.pipe(
      z.unknown(),
      z.transform((value, context) =>
        readWireText(value, context, trim, value === undefined || value === null ? 'is missing' : 'is empty'),
      ),
    ),
    { type: 'string', minLength: 1, maxLength: maxTextLength },
  )
}

const problem = 'must be an integer'

/** A safe integer, or the text of one in decimal digits with surrounding white space. */
const digits = z.pipe(z.pipe(z.string().check(z.regex(integerText)), z.transform(Number)), z.int())

/**
 * An integer that may arrive as a JSON number or as a decimal string: existing clients send every argument as a string.
 * Refused beyond ±9,007,199,254,740,991, because it could not be kept exactly.
 */
export const wireInteger = z.union([z.int(), digits], {
  error: missingOr(problem),
})

/** A safe integer as a JSON number or a decimal string; absent when missing, null or an empty string. */
export const optionalWireInteger = z.optional(
  z.union(
    [
      z.int(),
      digits,
      z.pipe(
        z.string().check(z.regex(/^\s*$/)),
        z.transform(() => undefined),
      ),
      z.pipe(
        z.null(),
        z.transform(() => undefined),
      ),
    ],
    {
      error: problem,
    },
  ),
)

/** True or false that may arrive as text, in any case; absent when missing, null or an empty string. */
export const optionalWireFlag = z.optional(
  z.pipe(
    z.union([z.boolean(), z.null(), z.string().check(z.regex(/^\s*(true|false)?\s*$/i))], {
      error: 'must be true or false',
    }),
    z.transform(value => readFlag(String(value ?? ''), undefined)),
  ),
)
