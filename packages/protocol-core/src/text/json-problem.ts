import { findTextProblem } from './text-rules.ts'

/** Place of a problem within a JSON value. */
interface JsonProblem {
  readonly path: readonly string[]
  readonly problem: string
}

interface Place {
  readonly value: object
  readonly name: string
  readonly parent?: Place
}

/**
 * Finds the first text or name within an object or array that cannot be kept, see {@link findTextProblem}. Texts may
 * have any length. Does not recurse, so it takes any depth.
 *
 * @param isExact whether also numbers and the order of members must stay as they were sent
 */
export function findJsonProblem(root: object, isExact = false): JsonProblem | undefined {
  const places: Place[] = [{ value: root, name: '' }]
  for (const place of places) {
    const isList = Array.isArray(place.value)
    for (const [name, value] of Object.entries(place.value)) {
      const problem =
        (isList ? undefined : findNameProblem(name, isExact)) ?? findValueProblem(value, isExact)
      if (problem) return { path: pathTo(place, name), problem }
      if (typeof value === 'object' && value !== null) places.push({ value, name, parent: place })
    }
  }
  return undefined
}

function findNameProblem(name: string, isExact: boolean): string | undefined {
  const problem = findTextProblem(name, Number.POSITIVE_INFINITY)
  if (problem) return `has a name that ${problem}`
  // JavaScript moves such members to the front.
  const isMoved = isExact && /^\d/.test(name) && String(Number(name) >>> 0) === name && name !== '4294967295'
  return isMoved
    ? 'has a name that is an integer, which would change its place: name it otherwise'
    : undefined
}

function findValueProblem(value: unknown, isExact: boolean): string | undefined {
  if (typeof value === 'string') return findTextProblem(value, Number.POSITIVE_INFINITY)
  if (isExact && typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `is a number beyond ±${Number.MAX_SAFE_INTEGER}, which would not be kept exactly: send it as text`
  return undefined
}

function pathTo(place: Place, name: string): string[] {
  const path = [name]
  for (let at = place; at.parent; at = at.parent) path.unshift(at.name)
  return path
}
