import { JsonError } from '../errors/command-error.ts'

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/** Deepest nesting of objects and arrays in a request, the outermost counted as 1. The specification needs 4. */
export const maxJsonDepth = 128

/**
 * Parses a text as JSON. Of members of one object that have the same name, the last one counts.
 *
 * @throws {JsonError} if it is not JSON, or objects and arrays are nested deeper than `maxDepth`; the message never quotes it
 */
export function parseJson(text: string, maxDepth = maxJsonDepth): unknown {
  // Each level takes at least one character.
  if (text.length > maxDepth && isTooDeep(text, maxDepth))
    throw new JsonError(`The JSON is nested deeper than ${maxDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonError('The frame is not JSON.')
  }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside of strings, so it builds no value and does not recurse. */
function isTooDeep(json: string, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at++
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
