import type { z } from 'zod'
import type { ArgsIssue } from '../errors/command-error.ts'

/** Turns a schema's findings into paths and problems, without any value of the input. */
export function issuesOf(error: z.ZodError): ArgsIssue[] {
  return error.issues.map(issue => ({
    path: issue.path.map(String).join('.'),
    problem:
      issue.code === 'custom' || issue.message.match(/^(is|must|needs|are) /)
        ? issue.message
        : describe(issue),
  }))
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const article = /^[aeio]/.test(issue.expected) ? 'an' : 'a'
    return issue.input === undefined && issue.message.includes('undefined')
      ? 'is missing'
      : `must be ${article} ${issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return 'is not acceptable'
}
