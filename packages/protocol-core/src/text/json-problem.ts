import type { z } from 'zod'
import { findTextProblem } from './text-field.ts'

/** Where something is wrong within a JSON value. */
export interface JsonProblem {
  readonly path: readonly string[]
  readonly problem: string
}

interface Place {
  readonly value: object
  readonly name: string
  readonly parent?: Place
}

/**
 * Finds the first text or name within an object or array that cannot be kept, see {@link findTextProblem}; any length will
 * do. Takes any depth: nothing recurses.
 */
export function findJsonProblem(root: object): JsonProblem | undefined {
  const places: Place[] = [{ value: root, name: '' }]
  for (const place of places) {
    const isList = Array.isArray(place.value)
    for (const [name, value] of Object.entries(place.value)) {
      const nameProblem = isList ? undefined : findTextProblem(name, Number.POSITIVE_INFINITY)
      if (nameProblem) return { path: pathTo(place, name), problem: `has a name that ${nameProblem}` }
      const problem = typeof value === 'string' ? findTextProblem(value, Number.POSITIVE_INFINITY) : undefined
      if (problem) return { path: pathTo(place, name), problem }
      if (typeof value === 'object' && value !== null) places.push({ value, name, parent: place })
    }
  }
  return undefined
}

function pathTo(place: Place, name: string): string[] {
  const path = [name]
  for (let at = place; at.parent; at = at.parent) path.unshift(at.name)
  return path
}

/** Refines an object by {@link findJsonProblem}, in the members of the sender's own: those that `shape` does not list. */
export function ownMembersOf(
  shape: object,
): [refine: (members: object, context: z.RefinementCtx) => void, { when: () => boolean }] {
  const refine = (members: unknown, context: z.RefinementCtx): void => {
    if (typeof members !== 'object' || members === null) return
    const own = Object.entries(members).filter(([name]) => !Object.hasOwn(shape, name))
    const { path, problem } = findJsonProblem(Object.fromEntries(own)) ?? {}
    if (problem) context.addIssue({ code: 'custom', path: [...(path ?? [])], message: problem })
  }
  // Also when other members have issues: a refusal names all at once.
  return [refine, { when: () => true }]
}
