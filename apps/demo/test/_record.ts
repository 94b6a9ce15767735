import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the service wrote where no secret may be. */
export type RecordedText = 'log' | 'error answer' | 'audit row'

/** What the tests of a service were run with. */
export type RecordedPart = 'embedded database' | 'PostgreSQL' | 'browser'

/** What must not be in it. */
export type SecretKind =
  | 'token'
  | 'name'
  | 'ssn'
  | 'e-mail'
  | 'phone'
  | 'handle'
  | 'cookie'
  | 'password'
  | 'employee'

/**
 * Folder of this run of the tests, in which each process of a test leaves what its services wrote and which secrets they were
 * given, for the test that compares the two after all others. Not set outside of a run: then nothing is left.
 */
const folderOfRun = () => process.env.SERVICE_TEST_RECORD

const known = new Set<string>()

/** Leaves a text. */
export function recordText(kind: RecordedText, text: string): void {
  append('texts', { kind, text })
}

/** Leaves that tests were run with this. */
export function recordPart(part: RecordedPart): void {
  append('parts', { part })
}

/** Leaves a secret, once a process and run. */
export function recordSecret(kind: SecretKind, value: string): void {
  const key = `${folderOfRun()} ${kind} ${value}`
  if (known.has(key)) return
  known.add(key)
  append('secrets', { kind, value })
}

function append(file: 'texts' | 'secrets' | 'parts', line: object): void {
  const folder = folderOfRun()
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${file}-${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}
