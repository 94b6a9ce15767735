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

/**
 * Reads a frame body as JSON.
 *
 * @throws {JsonError} when the bytes are not UTF-8 or not JSON, or objects and arrays are nested deeper than
 *   {@link maxJsonDepth}; the message never quotes them
 */
export function decodeJson(body: Uint8Array): unknown {
  const text = decodeText(body)
  // Each level takes a byte at least.
  if (body.length > maxJsonDepth && isTooDeep(body))
    throw new JsonError(`The JSON is nested deeper than ${maxJsonDepth} levels.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonError('The frame is not JSON.')
  }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside of strings: no value is built, and nothing recurses, however deep they are. */
function isTooDeep(json: Uint8Array): boolean {
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
      if (depth > maxJsonDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
