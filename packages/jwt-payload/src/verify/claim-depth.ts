import { PayloadMalformedError } from '../errors/payload-errors.ts'

/** Deepest nesting of claims. The specification's own need two levels. */
export const maxClaimDepth = 16

/** Most members and list elements of claims, all levels together. The specification's own need 20. */
export const maxClaimValues = 4096

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Unknown claims are kept: a nested bomb would overflow the stack of whoever writes them as JSON again.
 *
 * @param what is named in the error
 * @returns how many members all objects in it have
 * @throws {PayloadMalformedError} when claims are nested deeper than {@link maxClaimDepth}, or have more than
 * {@link maxClaimValues} members and elements
 */
export function assertClaimDepth(claims: JsonObject, what: 'header' | 'claims' = 'claims'): number {
  let members = 0
  let values = 0
  let level: JsonObject[] = [claims]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxClaimDepth)
      throw new PayloadMalformedError(
        `The ${what} of the JWT ${what === 'header' ? 'is' : 'are'} nested deeper than ${maxClaimDepth} levels.`,
      )
    const next: JsonObject[] = []
    for (const parent of level) {
      const children: readonly unknown[] = Array.isArray(parent) ? parent : Object.values(parent)
      if (!Array.isArray(parent)) members += children.length
      values += children.length
      if (values > maxClaimValues)
        throw new PayloadMalformedError(
          `The ${what} of the JWT ${what === 'header' ? 'has' : 'have'} more than ${maxClaimValues} members and list elements.`,
        )
      for (const value of children) if (isObject(value)) next.push(value)
    }
    level = next
  }
  return members
}

/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}
