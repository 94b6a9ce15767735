import { type ArgsIssue, findNearName } from '@service-link/protocol-core/errors'
import { fieldSynonyms, fieldsIn, isFieldOfOthers } from '@service-link/protocol-core/person'

const elementNames = fieldsIn('xml').map(({ name }) => name)
const elementSynonyms = fieldSynonyms('xml')
export const attributeNames = ['delete', 'exercisequery', 'workoutquery']
const attributeSynonyms = { queryexercises: 'exercisequery', queryworkouts: 'workoutquery' }

/** A name of the file that is not read, and the one that was probably meant, both as the file writes them: `<id>`. */
interface Misplaced extends ArgsIssue {
  /** The name of the element that was meant. */
  readonly element?: string
}

/** Says which unknown elements and attributes of the root were probably meant for others. Repeats no other name of the file. */
export function findMisplaced(
  elements: readonly string[],
  attributes: readonly string[],
): readonly Misplaced[] {
  return [
    ...[...new Set(elements)].flatMap(name => judge(name, `<${name}>`)),
    ...attributes.flatMap(name => judge(name, `the attribute ${name}`)),
  ]
}

function judge(name: string, path: string): readonly Misplaced[] {
  const attribute = findNearName(name, attributeNames, attributeSynonyms)
  if (attribute !== undefined)
    return [{ path, problem: `is not read; write the attribute ${attribute} of the root element` }]
  const element = findNearName(name, elementNames, elementSynonyms)
  if (element !== undefined) return [{ path, problem: `is not read; write <${element}>`, element }]
  return isFieldOfOthers(name, 'xml') ? [{ path, problem: 'is not read: the file has no such field' }] : []
}

/** Says in the issue of a missing element where it probably is. */
export function withMisplaced(issue: ArgsIssue, misplaced: readonly Misplaced[]): ArgsIssue {
  const found = issue.problem === 'is missing' && misplaced.find(({ element }) => element === issue.path)
  return found ? { ...issue, problem: `is missing: write <${issue.path}> instead of ${found.path}` } : issue
}
