import { ServiceLinkError } from './service-link-error.ts'

/** An argument or a member has the wrong kind. Only a caller without types can cause it. */
export class ParameterError extends ServiceLinkError<'ERR_PARAMETER'> {
  readonly code = 'ERR_PARAMETER'
  /** The parameter, as a dotted path: `options.clock`. */
  readonly parameter: string
  /** The expected kind, such as `a function`. */
  readonly expected: string

  constructor(parameter: string, expected: string) {
    super(`The parameter ${parameter} must be ${expected}.`)
    this.parameter = parameter
    this.expected = expected
  }
}

const kinds = {
  text: 'text',
  number: 'a finite number',
  anyNumber: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  list: 'a list',
} as const

/** Kind of a value; with `?` it may be left out. A list names the allowed values. */
export type ParameterKind = keyof typeof kinds | `${keyof typeof kinds}?` | readonly (string | undefined)[]

/**
 * Checks an argument of a public function before the function uses it. A caller without types may pass a private key
 * in place of the options, and an error of the runtime could quote it. This error never does.
 *
 * @param name of the parameter, as the documentation spells it
 * @param members kinds of an object's members; others are not looked at
 * @throws {ParameterError} naming the parameter, or the member, that is of another kind
 */
export function assertParameter(
  name: string,
  value: unknown,
  kind: ParameterKind,
  members: Readonly<Record<string, ParameterKind>> = {},
): void {
  if (!isOfKind(value, kind)) throw new ParameterError(name, describeKind(kind))
  if (value === undefined) return
  for (const [member, needed] of Object.entries(members))
    assertParameter(`${name}.${member}`, Object(value)[member], needed)
}

function isOfKind(value: unknown, kind: ParameterKind): boolean {
  if (typeof kind !== 'string') return kind.some(one => one === value)
  if (kind.endsWith('?') && value === undefined) return true
  switch (kind.replace('?', '')) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return Number.isFinite(value)
    case 'anyNumber':
      return typeof value === 'number'
    case 'list':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === kind.replace('?', '')
  }
}

function describeKind(kind: ParameterKind): string {
  if (typeof kind !== 'string') return kind.filter(one => one !== undefined).join(' or ')
  const words: Readonly<Record<string, string>> = kinds
  return words[kind.replace('?', '')] ?? kind
}
