import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConformanceReport } from '../run-role.ts'
import { writeJunit } from './junit.ts'
import { writePage } from './page.ts'

/**
 * Writes `<role>.json`, `<role>.xml` for build servers and `<role>.html` for people into a folder, and makes the folder.
 *
 * @throws the error of the file system, if they cannot be written
 */
export async function writeReports(report: ConformanceReport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const files = {
    json: `${JSON.stringify(report, null, 2)}\n`,
    xml: writeJunit(report),
    html: writePage(report),
  }
  for (const [ending, text] of Object.entries(files))
    await writeFile(join(folder, `${report.role}.${ending}`), text)
}
