import { JsonError } from '../errors/command-error.ts'
import { maxJsonDepth } from './limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a frame body as text.
 *
 * @throws {JsonError} when the bytes are not UTF-8
 */
export function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new JsonError('The frame is not UTF-8 text.')
  }
}

/** Options of {@link decodeJson}. */
export interface DecodeJsonOptions {
  /**
   * Deepest nesting of objects and arrays; default {@link maxJsonDepth}. `Infinity` is for what a trusted side sends: the
   * parser takes any depth, but code that recurses over the value may not.
   */
  readonly maxDepth?: number
}

/**
 * Reads a frame body as JSON. Of members of one object that have the same name, the last one counts.
 *
 * @throws {JsonError} when the bytes are not UTF-8 or not JSON, or objects and arrays are nested deeper than `maxDepth`;
 *   the message never quotes them
 */
export function decodeJson(body: Uint8Array, options: DecodeJsonOptions = {}): unknown {
  const { maxDepth = maxJsonDepth } = options
  const text = decodeText(body)
  // Each level takes a byte at least.
  if (body.length > maxDepth && isTooDeep(body, maxDepth))
    throw new JsonError(`The JSON is nested deeper than ${maxDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonError('The frame is not JSON.')
  }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside of strings: no value is built, and nothing recurses, however deep they are. */
function isTooDeep(json: Uint8Array, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInString) {
      if (byte === backslash) at++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === 0x5b || byte === 0x7b) {
      depth++
      if (depth > maxDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
