import * as z from 'zod/mini'
import type { ArgsIssue } from '../errors/command-error.ts'
import { pathOf } from '../text/text-rules.ts'

/** What a schema makes of a value, or why it takes none. */
export type Reading<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly ArgsIssue[] }

/** Reads a value by a schema. The issues are in this project's words and hold nothing of the value, see {@link issuesOf}. */
export function readBy<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.output<Schema>> {
  const { success, data, error } = z.safeParse(schema, value, { error: problemOf })
  return success ? { value: data } : { issues: issuesOf(error) }
}

/** First words of this package's messages. No message of zod begins so. */
const ourOwn = /^(is|must|needs|are|has) /

/**
 * Turns a schema's findings into paths and problems, without any value of the input. Names unknown members of a strict
 * object. Does not use zod's messages, which have a language.
 *
 * @param error what zod's `safeParse` found, with the option `reportInput` or with `error` set to `problemOf`: else a missing value is
 *   not told from one of a wrong type where the schema has no message of its own
 * @returns one issue a place, in the schema's order
 */
export function issuesOf(error: z.core.$ZodError): ArgsIssue[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ path: pathOf([...issue.path, key]), problem: 'is not known' }))
    return [{ path: pathOf(issue.path), problem: isOurs(issue) ? issue.message : problemOf(issue) }]
  })
}

/** Every refinement of this project has a message, so that only other programs' have that of zod. */
function isOurs({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'custom' ? message !== 'Invalid input' : ourOwn.test(message)
}

/** The message of a finding that has none of its own, as zod's option `error` takes it. */
export function problemOf(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      if ('input' in issue && issue.input === undefined) return 'is missing'
      const type = issue.expected === 'int' ? 'integer' : issue.expected
      return `must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
    }
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'is not acceptable'
    case 'too_small':
      return describeBound(issue.origin, issue.minimum, 'at least', 'shorter', 'fewer')
    case 'too_big':
      return describeBound(issue.origin, issue.maximum, 'at most', 'longer', 'more')
    default:
      return 'is not acceptable'
  }
}

const formats: Readonly<Record<string, string>> = { url: 'must be a URL', uuid: 'must be a UUID' }

function describeBound(origin: string, bound: number | bigint, at: string, length: string, count: string) {
  if (origin === 'string')
    return length === 'shorter' && bound === 1 ? 'is empty' : `is ${length} than ${bound} characters`
  return origin === 'array' ? `has ${count} than ${bound} entries` : `must be ${at} ${bound}`
}
