import type { ArgsIssue } from '@service-link/protocol-core/errors'
import { fieldSynonyms, findArgument, isFieldOfOthers } from '@service-link/protocol-core/person'
import { argumentNames } from './grammar.ts'

/** An argument with a name that no provider of every wrapper reads. */
export interface UnknownArgument {
  /** As given: `--id`, `customid`. */
  readonly name: string
  /** The known name that was probably meant: `id`. */
  readonly meant?: string | undefined
  /** What became of it and what to write, without its value: `--id=…`, `was ignored; write id=…`. None of a launch parameter. */
  readonly note?: ArgsIssue | undefined
}

const synonyms: Readonly<Record<string, string>> = {
  ...fieldSynonyms('arguments'),
  exercisequery: 'queryexercises',
  workoutquery: 'queryworkouts',
  // Words that people try first.
  query: 'queryexercises',
  search: 'queryexercises',
  exercise: 'queryexercises',
  open: 'openworkout',
  patient: 'id',
  select: 'id',
  workout: 'openworkout',
  workoutid: 'openworkout',
}

/**
 * Says what becomes of an unknown argument. Repeats a name only if it is nearly a known one: another may be half of a value.
 *
 * @param place the argument as a word: `argument 2`
 */
export function describeUnknown(
  { name, value }: { readonly name: string; readonly value?: string | undefined },
  place: string,
): UnknownArgument {
  const path = value === undefined ? name : `${name}=…`
  const meant = findMeant(`${name}=`)
  const describe = (): ArgsIssue | undefined => {
    if (name.startsWith('-'))
      return meant === undefined
        ? { path: place, problem: 'begins with - and was ignored' }
        : { path, problem: `was ignored; write ${formOf(meant)}` }
    if (meant !== undefined)
      return { path, problem: `went to the web app as a launch parameter; did you mean ${formOf(meant)}?` }
    if (isFieldOfOthers(name, 'arguments'))
      return {
        path,
        problem: 'went to the web app as a launch parameter: on the command line a person has no such field',
      }
    return undefined
  }
  const note = describe()
  return { name, ...(meant === undefined ? {} : { meant }), ...(note && { note }) }
}

/** Says what is wrong with a word that is no argument. `previous` may be the name of which it is the value. */
export function describeStray(text: string, previous: string): string {
  const meant = findMeant(text)
  if (meant !== undefined) return `must be written ${asOne(meant)}`
  const open = /^[^=:]*[=:]?\s*$/.test(previous) ? findMeant(previous) : undefined
  if (open !== undefined) return `stands apart from ${open}: write ${asOne(open)}`
  return 'is neither name=value nor an .xml file: a value or path with spaces needs double quotes, as in lastname="van Dyk"'
}

function findMeant(text: string): string | undefined {
  return findArgument(text, argumentNames, synonyms)
}

function asOne(name: string): string {
  return `${formOf(name)}, as one argument, without blanks beside the =`
}

function formOf(name: string): string {
  if (name === 'wait') return 'wait=true'
  return name === 'payload' ? 'payload=@<file>' : `${name}=…`
}
