import { type ArgsIssue, findNearName } from '@service-link/protocol-core/errors'
import { fieldSynonyms, isFieldOfOthers } from '@service-link/protocol-core/person'
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
  workout: 'openworkout',
  workoutid: 'openworkout',
}

/** Finds the known argument that a text begins with in another spelling: `--id=4711`, `/id:4711`, `I D=4711`, `birthdate`. */
export function findMeant(text: string): string | undefined {
  const [, name = '', sign] = /^[-/]*([a-z_][\w. -]*?)\s*(?:([=:＝]).*)?$/is.exec(text) ?? []
  const joined = name.replaceAll(/[\s.]/g, '')
  // A word alone may be half of a value that lost its quotes.
  if (sign === undefined && !text.startsWith('-'))
    return argumentNames.find(known => known === joined.toLowerCase())
  return findNearName(joined, argumentNames, synonyms)
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
    if (/\.xml$/i.test(value ?? ''))
      return { path: place, problem: 'is not read as an XML file; write the path of the file alone' }
    return undefined
  }
  const note = describe()
  return { name, ...(meant === undefined ? {} : { meant }), ...(note && { note }) }
}

/** Finds one of the names as an argument within the value of another, as in `id=4711,firstname=Kari`. */
export function findInnerArgument(value: string, names: readonly string[]): string | undefined {
  const written = value.toLowerCase()
  return names.find(name => new RegExp(`[\\s,;&|][-/]{0,2}${name}\\s*[=:]`).test(written))
}

/** Of the wrapper's program, as its first word. */
const subcommands = ['doctor', 'settings', 'installer']

/** Judges words that are no arguments, in their order, so that a name and a value that stand apart are told once. */
export class StrayWords {
  /** The argument whose name was written, and whose value may follow. */
  #open: { readonly meant: string; isTold: boolean } | undefined

  /** Notes an argument that is read or ignored. */
  pass(text: string): void {
    const meant = isName(text) ? findMeant(text) : undefined
    this.#open = meant === undefined ? undefined : { meant, isTold: false }
  }

  /** The problem of a word; nothing if it is told already. */
  judge(text: string): string | undefined {
    const meant = findMeant(text)
    const open = this.#open
    if (meant === undefined && open) {
      this.#open = /^=\s*$/.test(text) ? open : undefined
      if (open.isTold) return undefined
      open.isTold = true
      return `stands apart from ${open.meant}: write ${asOne(open.meant)}`
    }
    this.#open = meant !== undefined && isName(text) ? { meant, isTold: true } : undefined
    if (meant !== undefined) return `must be written ${asOne(meant)}`
    const subcommand = findNearName(text, subcommands)
    if (subcommand !== undefined)
      return `is no argument of a launch; did you mean the subcommand ${subcommand}, as the first word`
    if (/^[-/]*(help|h|\?|version|v)$/i.test(text))
      return 'is no argument of a launch: write --help or --version alone'
    return 'is neither name=value nor an .xml file: a value or path with spaces needs double quotes, as in lastname="van Dyk"'
  }
}

/** Whether nothing stands behind a name and its sign. */
const isName = (text: string) => /^[^=:＝]*[=:＝]?\s*$/.test(text)

const asOne = (name: string) => `${formOf(name)}, as one argument, without blanks beside the =`

function formOf(name: string): string {
  if (name === 'wait') return 'wait=true'
  return name === 'payload' ? 'payload=@<file>' : `${name}=…`
}
