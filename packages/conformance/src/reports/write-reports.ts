import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileError } from '@service-link/terminal'
import { codeOf } from '../programs/run-program.ts'
import type { ConformanceReport } from '../run-role.ts'
import { writeJunit } from './junit.ts'
import { writePage } from './page.ts'

/**
 * Writes `<role>.json`, `<role>.xml` for build servers and `<role>.html` for people into a folder, and makes the folder.
 *
 * @throws {FileError} if the folder cannot be made, or a file not be written
 */
export async function writeReports(report: ConformanceReport, folder: string): Promise<void> {
  await makeReportFolder(folder)
  const files = {
    json: `${JSON.stringify(report, null, 2)}\n`,
    xml: writeJunit(report),
    html: writePage(report),
  }
  for (const [ending, text] of Object.entries(files))
    await told('written to', () => writeFile(join(folder, `${report.role}.${ending}`), text))
}

/** Shows before a run whether its reports have a place. */
export const makeReportFolder = (folder: string) => told('made', () => mkdir(folder, { recursive: true }))

async function told(what: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    // Not as cause: its words have the path, which may be personal.
    throw new FileError(`The folder of the reports cannot be ${what}: ${codeOf(error)}.`)
  }
}
