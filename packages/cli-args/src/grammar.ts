import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'
import {
  hasTypographicQuotes,
  type PersonFieldName,
  personFieldNames,
  quotesProblem,
} from '@service-link/protocol-core/person'

/** Longest argument of a launch, name and value together, in UTF-16 code units. */
export const maxArgumentLength = 65_536

/** Longest command line that Windows takes, in UTF-16 code units, the executable's path and the final NUL not counted. */
export const maxWindowsCommandLineLength = 32_766

/** How the command line spells a person (spec 4.3; design: person, one model). */
export function personArguments({ requiredPerson }: Brand = defaultBrand): readonly PersonFieldName[] {
  return personFieldNames('arguments', requiredPerson)
}

/** Arguments that the command-line provider turns into commands. */
export const commandArgumentNames: readonly string[] = [
  ...personArguments().map(({ name }) => name),
  'queryworkouts',
  'queryexercises',
  'openworkout',
]

/** All known names of arguments, in lower case. The first say how the launch is taken, whichever provider reads the rest. */
export const argumentNames: readonly string[] = [
  'provider',
  'payload',
  'wait',
  'clearperson',
  'signout',
  ...commandArgumentNames,
]

/** @throws {ParameterError} when `argv` is no list of texts */
export function assertArguments(argv: readonly string[]): void {
  assertParameter('argv', argv, 'list')
  for (const [index, argument] of argv.entries()) assertParameter(`argv.${index}`, argument, 'text')
}

/** One argument of a launch, by its form. */
type SplitArgument =
  | { readonly kind: 'named'; readonly name: string; readonly value: string; readonly problem?: string }
  | { readonly kind: 'xml-file'; readonly path: string }
  | { readonly kind: 'switch'; readonly name: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'stray'; readonly text: string }

/**
 * Tells the form of one argument: `name=value`, whose name has letters, digits, `_`, `-` and `.`; else a path that
 * ends in `.xml` and is no address (`acme://…`); else a `--switch`, which is not ours; else blank or stray text.
 * Quotes that survived the shell, around the value or around the whole argument, are taken off. A value in typographic quotes
 * has a problem.
 */
export function splitArgument(argument: string): SplitArgument {
  const text = unquote(argument)
  const equals = text.indexOf('=')
  const name = equals > 0 ? text.slice(0, equals).trim() : ''
  if (/^[\p{L}_-][\p{L}\p{N}_.-]*$/u.test(name)) return named(name, text.slice(equals + 1))
  const isXmlFile = /\.xml$/i.test(text) && !hasTypographicQuotes(text)
  if (isXmlFile && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'xml-file', path: text }
  if (/^--[a-z][\w-]*$/i.test(text)) return { kind: 'switch', name: text }
  return text === '' ? { kind: 'blank' } : { kind: 'stray', text }
}

function named(name: string, written: string): SplitArgument {
  const isWrong = hasTypographicQuotes(written.trim())
  return { kind: 'named', name, value: unquote(written), ...(isWrong && { problem: quotesProblem }) }
}

/** Trims, and takes off one pair of double quotes around the whole. */
function unquote(text: string): string {
  const trimmed = text.trim()
  return isQuoted(trimmed) ? trimmed.slice(1, -1) : trimmed
}

/** Whether a text begins and ends with a double quote of its own. */
export function isQuoted(text: string): boolean {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"')
}

/** A signed payload is a credential, and other users can list arguments, so an argument only names its file. */
export function findPayloadProblem(payload: string): string | undefined {
  if (!payload.startsWith('@'))
    return 'must be @ and the path of a file that holds the signed payload: other users of this machine can read arguments'
  return payload.slice(1).trim() === '' ? 'names no file after its @' : undefined
}

/** Two persons in one launch: either could be the wrong one. */
export function besidePerson(names: readonly string[]): string {
  return `brings a person of its own: leave out ${names.join(', ')}`
}
