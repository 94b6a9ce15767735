import { appendFileSync, mkdirSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Kinds of output that may hold no secret. */
export type RecordedText = 'log' | 'error answer' | 'audit row'

/** Databases and surroundings of the tested services. */
export type RecordedPart = 'embedded database' | 'PostgreSQL' | 'browser'

/**
 * Folder of this test run. Each process records its services' texts there, and a final test searches them for secrets.
 * Unset outside of a run: nothing is recorded.
 */
const folderOfRun = () => process.env.SERVICE_TEST_RECORD

/** Makes a folder that is removed after the run, because a worker is killed before it could remove the folder itself. */
export async function makeFolderOfRun(prefix: string): Promise<string> {
  const parent = folderOfRun() ?? tmpdir()
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, prefix))
}

/** Records a text. */
export function recordText(kind: RecordedText, text: string): void {
  append('texts', { kind, text })
}

/** Records a condition of the tests. */
export function recordPart(part: RecordedPart): void {
  append('parts', { part })
}

function append(file: 'texts' | 'parts', line: object): void {
  const folder = folderOfRun()
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${file}-${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}
