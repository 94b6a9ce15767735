import type { z } from 'zod'
import type { ArgsIssue } from '../errors/command-error.ts'

/** How the schemas of this package begin a sentence about a place; a message of the library never does. */
const ourOwn = /^(is|must|needs|are|has) /

/**
 * Turns a schema's findings into paths and problems, without any value of the input. A member that a strict object does
 * not know is named. What zod says in its own words, in whichever language, does not matter.
 *
 * @param error what zod's `safeParse` found; only with its option `reportInput` is a missing value told from one of a wrong
 *   type where the schema has no message of its own
 * @returns one issue a place, in the schema's order
 */
export function issuesOf(error: z.ZodError): ArgsIssue[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ path: pathOf([...issue.path, key]), problem: 'is not known' }))
    const isOurs = issue.code === 'custom' || ourOwn.test(issue.message)
    return [{ path: pathOf(issue.path), problem: isOurs ? issue.message : describe(issue) }]
  })
}

/** A name that a sender chose may be no text that a log, a database or another program keeps. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').replaceAll('\0', '\ufffd').toWellFormed()
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a'
    const isMissing = 'input' in issue && issue.input === undefined
    return isMissing ? 'is missing' : `must be ${article} ${issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return 'is not acceptable'
}
