import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The verdict of xmllint on a document. */
export interface Verdict {
  readonly isWellFormed: boolean
  /** Canonical XML; also absent where a namespace prevents that form of a well-formed document. */
  readonly canonical: string | undefined
}

/** Why xmllint is unavailable; `undefined` when it is available. */
export function whyNoXmllint(): string | undefined {
  return spawnSync('xmllint', ['--version']).error ? 'xmllint is missing (Debian: libxml2-utils)' : undefined
}

const separator = '<between-documents></between-documents>'

/** Lets one process of xmllint read many documents. */
export function askXmllint(documents: readonly string[]): readonly Verdict[] {
  const folder = mkdtempSync(join(tmpdir(), 'xmllint-'))
  try {
    writeFileSync(join(folder, 'between'), separator)
    for (const [index, document] of documents.entries()) writeFileSync(join(folder, String(index)), document)
    const files = documents.flatMap((_document, index) => [String(index), 'between'])
    const run = spawnSync('xmllint', ['--nonet', '--c14n', ...files], {
      cwd: folder,
      maxBuffer: 2 ** 30,
      encoding: 'utf8',
    })
    if (run.error) throw run.error
    const refused = new Set(
      [...run.stderr.matchAll(/^(\d+):\d+: parser error : /gm)].map(([, file]) => Number(file)),
    )
    const outputs = run.stdout.split(separator)
    return documents.map((_document, index) => ({
      isWellFormed: !refused.has(index),
      canonical: outputs[index]?.replace(/^\n/, '') || undefined,
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
