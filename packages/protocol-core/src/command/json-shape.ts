import { findTextProblem } from '../text/text-rules.ts'
import { isObject, type WireNames, wireNames } from '../text/wire-names.ts'

/** Whether a value from the wire has the shape that is needed. Unknown members do not matter. */
export type Check = (value: unknown) => boolean

/** JSON from the wire: the names of its members, and their check once they are spelled as programs do. */
export interface JsonShape {
  readonly names: WireNames
  readonly check: Check
  /** Of a list: makes it one of the classic mode. */
  readonly write?: (list: readonly unknown[]) => unknown
  /** Takes what the check has taken. Default: as it is. */
  readonly read?: (value: object) => object
}

export const isInteger: Check = Number.isSafeInteger
export const isBoolean: Check = value => typeof value === 'boolean'
export const isText: Check = value => typeof value === 'string'
export const atLeast = (least: number): Check => {
  return value => isInteger(value) && Number(value) >= least
}
export const nullOr = (check: Check): Check => {
  return value => value === null || check(value)
}
export const maybe = (check: Check): Check => nullOr(value => value === undefined || check(value))
export const listOf = (check: Check): Check => {
  return value => Array.isArray(value) && value.every(check)
}

// Not by `maybe`: a list has many thousands of them.
const isAbsent: Check = value => value === undefined || value === null
export const maybeInteger: Check = value => isAbsent(value) || isInteger(value)
export const maybeText: Check = value => isAbsent(value) || typeof value === 'string'
export const maybeKeptText: Check = value =>
  isAbsent(value) || (typeof value === 'string' && findTextProblem(value) === undefined)

/** The shape of one object. */
export function having(members: Readonly<Record<string, Check | JsonShape>>): JsonShape {
  const all = Object.entries(members)
  const inner = Object.fromEntries(
    all.filter((member): member is [string, JsonShape] => 'names' in member[1]),
  )
  return {
    names: wireNames(Object.keys(members), inner),
    check: value =>
      isObject(value) &&
      all.every(([name, member]) => (typeof member === 'function' ? member : member.check)(value[name])),
  }
}
