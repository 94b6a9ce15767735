import { defineError } from './define-error.ts'

/**
 * An argument or option of a public function has the wrong kind, is out of range, or is not known. Only a caller without types
 * can cause the first.
 *
 * @remedy Correct the argument or option that `parameter` names. The message never repeats its value.
 * @retry no
 * @seenBy partner's developer, integrator
 */
export class ParameterError extends defineError(
  'ERR_PARAMETER',
  (parameter: string, expected: string, problem: string = `must be ${expected}.`) => ({
    message: `The parameter ${parameter} ${problem}`,
    /** The parameter, as a dotted path: `options.clock`. */
    parameter,
    /** The expected kind, such as `a function`; for a property that is not known, the known names. */
    expected,
  }),
) {}

/** Whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Words and check of each kind. A bundler leaves them out where nothing is checked, because no function is called here. */
const kinds = {
  text: ['text', (value: unknown) => typeof value === 'string'],
  file: [
    'text, or bytes as a Uint8Array',
    // `instanceof` fails across realms.
    (value: unknown) =>
      typeof value === 'string' ||
      (ArrayBuffer.isView(value) && Reflect.get(value, 'BYTES_PER_ELEMENT') === 1),
  ],
  number: ['a finite number', (value: unknown) => Number.isFinite(value)],
  boolean: ['true or false', (value: unknown) => typeof value === 'boolean'],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  clock: [
    'a function that returns a Date',
    // `instanceof` fails across realms.
    (value: unknown) => typeof value === 'function' && Number.isFinite(Object(value()).getTime?.()),
  ],
  signal: [
    'an AbortSignal: controller.signal',
    (value: unknown) => typeof Object(value).throwIfAborted === 'function',
  ],
  object: ['an object', isObject],
  closed: ['an object', isObject],
  list: ['a list', (value: unknown) => Array.isArray(value)],
  any: ['any value', () => true],
} as const

/** The numbers that a parameter with a unit takes: from 1. */
export interface Measure {
  /** The kind of number, such as `a whole number of bytes`. */
  readonly what: string
  /** The largest. Default 2,147,483,647, as long as a timer can wait. */
  readonly most?: number | undefined
  /** Whether it must be whole. Default false. */
  readonly isWhole?: boolean | undefined
}

/**
 * Checks a number with a unit. The error tells the number that was given, and of anything else its type alone.
 *
 * @throws {ParameterError}
 */
export function assertMeasure(
  parameter: string,
  value: unknown,
  { what, most = 2 ** 31 - 1, isWhole }: Measure,
): asserts value is number {
  const isNumber = typeof value === 'number'
  if (isNumber && value >= 1 && value <= most && !(isWhole && value % 1)) return
  const expected = `${what} from 1 to ${most}`
  const given = isNumber ? value : `of type ${typeof value}`
  throw new ParameterError(parameter, expected, `must be ${expected}, not ${given}.`)
}

/**
 * Kind of a value; with `?` it may be left out. A list names the allowed values. A {@link Measure} may always be left out. An `object` may have members that are
 * not listed, such as a store that the caller implements; a `closed` one may not, such as options, queries and data.
 * `any` is for a member that is checked elsewhere, `file` for the content of a file.
 */
export type ParameterKind =
  | keyof typeof kinds
  | `${keyof typeof kinds}?`
  | readonly (string | undefined)[]
  | Measure

/**
 * Checks an argument of a public function before the function uses it. A caller without types may give a property that
 * nothing reads, or a private key in place of the options, and an error of the runtime could quote the key. This error
 * never quotes a value.
 *
 * @param name of the parameter, as the documentation spells it
 * @param members kinds of an object's members; all of them if the kind is `closed`
 * @param synonyms see {@link findNearName}
 * @throws {ParameterError} naming the parameter, or the member, that is of another kind, a promise, or not known
 * @example
 * ```ts
 * import { assertParameter } from '@service-link/protocol-core'
 * import { milliseconds } from '@service-link/protocol-core/time'
 *
 * const options: unknown = { timeoutMs: 1000 }
 * assertParameter('options', options, 'closed?', { timeoutMs: milliseconds })
 * ```
 */
export function assertParameter(
  name: string,
  value: unknown,
  kind: ParameterKind,
  members: Readonly<Record<string, ParameterKind>> = {},
  synonyms: Synonyms = {},
): void {
  assertKind(name, value, kind)
  if (value === undefined) return
  if (kind === 'closed' || kind === 'closed?')
    assertKnown(name, Object.keys(Object(value)), members, synonyms)
  const given = Object(value)
  for (const member in members) assertKind(name, given[member], members[member] ?? 'any', member)
}

function assertKind(name: string, value: unknown, kind: ParameterKind, member?: string): void {
  const isPromise = typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'
  const parameterOf = () => (member === undefined ? name : `${name}.${member}`)
  if (typeof kind !== 'string' && 'what' in kind && !isPromise) {
    if (value !== undefined) assertMeasure(parameterOf(), value, kind)
    return
  }
  // `null` is of no kind.
  const expected = findExpected(isPromise ? null : value, kind)
  if (!expected) return
  const missing = value === undefined ? `is missing: it must be ${expected}.` : undefined
  throw new ParameterError(parameterOf(), expected, isPromise ? 'is a promise: await it.' : missing)
}

/** Words for the kind that a value is not; `undefined` if it is of this kind. */
function findExpected(value: unknown, kind: ParameterKind): string | undefined {
  if (typeof kind !== 'string') {
    if ('what' in kind) return kind.what
    return kind.includes(value as string) ? undefined : kind.filter(one => one !== undefined).join(' or ')
  }
  if (value === undefined && kind.endsWith('?')) return undefined
  const [words, isRight] = kinds[kind as keyof typeof kinds] ?? kinds[kind.slice(0, -1) as keyof typeof kinds]
  return isRight(value) ? undefined : words
}

function assertKnown(
  name: string,
  given: readonly string[],
  members: Readonly<Record<string, unknown>>,
  synonyms: Synonyms,
): void {
  const unknown = given.find(property => !Object.hasOwn(members, property))
  if (unknown === undefined) return
  const known = Object.keys(members)
  const list = known.join(', ')
  const near = findNearName(unknown, known, synonyms)
  // A longer list would hide the sentence.
  const listed = known.length <= 16 ? ` Known: ${list}.` : ''
  const hint = near ? ` Did you mean ${near}?` : listed
  const [parameter, problem] = namePattern.test(unknown)
    ? [`${name}.${unknown}`, 'is not known.']
    : [name, 'has a property that is not known.']
  throw new ParameterError(parameter, near ?? list, problem + hint)
}

/** Whether a text is a name. It may come from a caller who has put a key or a person there. */
const namePattern = /^[A-Za-z_$][\w$-]{0,40}$/

/** Whether a text from somebody else may stand in a message as a name. */
export function isName(text: string): boolean {
  return namePattern.test(text)
}

/** Other words for known names, in lower case, without `_` and `-`. */
type Synonyms = Readonly<Record<string, string>>

/**
 * Finds the known name that was meant: the same letters in another case, else a synonym, else the nearest name, if at
 * most two letters in one place differ.
 */
export function findNearName(
  name: string,
  known: readonly string[],
  synonyms: Synonyms = {},
): string | undefined {
  if (!namePattern.test(name)) return undefined
  const folded = foldName(name)
  const distanceTo = (one: string) => editDistance(folded, foldName(one))
  const [nearest] = known
    .filter(one => distanceTo(one) <= Math.min(2, one.length / 2, name.length / 2))
    .sort((a, b) => distanceTo(a) - distanceTo(b))
  if (nearest && distanceTo(nearest) === 0) return nearest
  return Object.hasOwn(synonyms, folded) ? synonyms[folded] : nearest
}

/** As names are compared: in lower case, without `_` and `-`. */
export function foldName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/** How many letters one place of a text must change to make the other one. */
function editDistance(from: string, to: string): number {
  let start = 0
  let end = 0
  const shorter = Math.min(from.length, to.length)
  while (start < shorter && from[start] === to[start]) start++
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return Math.max(from.length, to.length) - start - end
}
