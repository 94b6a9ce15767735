import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedText } from './record.ts'

/** A text that the service wrote. */
export interface Recorded {
  readonly kind: RecordedText
  readonly text: string
}

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** Members of the tests' data. A name counts as a whole word only, the others as they are long enough to be unique. */
const members = {
  names: /(?:[fF]irst|[mM]iddle|[lL]ast)name['"]?: ?['"](\p{Lu}[^'"\\]{3,})['"]/gu,
  others: /(?:ssn|identityNumber|[eE]mail|[mM]obile|password)['"]?: ?['"]([^'"\\]{8,})['"]/g,
}

/** The personal data and passwords of the invented persons: what the tests and the demo's data say of them. */
export function readPersons() {
  const data = 'apps/*/src/**/{demo-data,patients,e-id-page,seed-persons}.{ts,json}'
  const files = globSync(['apps/*/test/**/*.ts', 'apps/*/src/**/*.test.ts', data], { cwd: root })
  const text = files.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
  const valuesOf = (pattern: RegExp) => [
    ...new Set(Array.from(text.matchAll(pattern), ([, value = '']) => value)),
  ]
  return { names: valuesOf(members.names), others: valuesOf(members.others) }
}

/** A signed JWT from any signer, also with white space before its first members. */
const anyToken = /\be[yw][\w-]{9,}\.e[yw][\w-]{9,}\.[\w-]*/

/** A handle, a cookie, a state or a code: nothing else is so long and random. */
const anyHandle = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{22,}(?![\w-])/

/** What a text may hold: ids of requests, accounts, links and certificates, the places of an error, folders of tests. */
const harmless = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
  /"(?:employee_digest|account_id|accountId|organization_id|thumbprint)":"[^"]*"/g,
  /"stack":\[[^\]]*\]/g,
  /service-link-[\w-]+/g,
]

/** Finds each secret in the texts, as `where: kind: secret`. It comes from a test, so it may be shown. */
export function findLeaks(
  recorded: readonly Recorded[],
  { names, others } = readPersons(),
): readonly string[] {
  const leaks: string[] = []
  for (const { kind, text } of distinct(recorded)) {
    const told = (secret: string, value: string | undefined) => {
      if (value !== undefined) leaks.push(`${kind}: ${secret}: ${value}`)
    }
    told('token', anyToken.exec(text)?.[0])
    told('handle', anyHandle.exec(text.replace(anyToken, ''))?.[0])
    for (const value of names) if (isIn(text, value, true)) told('name', value)
    for (const value of others) if (isIn(text, value, false)) told('personal data', value)
  }
  return [...new Set(leaks)]
}

/** Most lines are equal without their ids and times. */
function distinct(recorded: readonly Recorded[]): readonly Recorded[] {
  const found = new Map<string, Recorded>()
  for (const { kind, text } of recorded) {
    const plain = harmless.reduce((rest, pattern) => rest.replace(pattern, ''), text)
    found.set(`${kind} ${plain.replace(/"(time|durationMs|id)":\d+/g, '')}`, { kind, text: plain })
  }
  return [...found.values()]
}

function isIn(text: string, value: string, isWord: boolean): boolean {
  for (const form of new Set([value, JSON.stringify(value).slice(1, -1), escapeHtml(value)]))
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      if (!isWord || !(isLetter(text[at - 1]) || isLetter(text[at + form.length]))) return true
  return false
}

const isLetter = (char = '') => /[\p{L}\p{N}_-]/u.test(char)

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
