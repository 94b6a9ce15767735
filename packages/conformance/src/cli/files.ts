import { mkdir } from 'node:fs/promises'
import type { SigningKeySource } from '@service-link/jwt-payload'
import { FileError, readText, type Terminal } from '@service-link/terminal'
import * as z from 'zod/mini'
import { codeOf } from '../programs/run-program.ts'
import { writeReports } from '../reports/write-reports.ts'
import type { ConformanceReport } from '../run-role.ts'

const maxFileBytes = 1024 * 1024

/** Reads a private key (PKCS #8 PEM or JWK), or a shared secret as base64url text. */
export async function readKey(
  path: string,
  names: { readonly kid?: string },
  terminal: Terminal,
): Promise<SigningKeySource> {
  const source = { path, file: 'The file after --key', content: 'the key', maxBytes: maxFileBytes }
  const text = (await readText(source, terminal)).trim()
  if (text.startsWith('-----')) return { kind: 'pkcs8', pem: text, ...names }
  if (!text.startsWith('{')) return { kind: 'secret', secret: text, ...names }
  return {
    kind: 'jwk',
    jwk: parse(z.looseObject({}), text, 'The file after --key is no JSON Web Key.'),
    ...names,
  }
}

/** Reads `{"<id of a scenario>": "<reason>"}`. */
export function readKnownFailures(
  path: string,
  terminal: Terminal,
): Promise<Readonly<Record<string, string>>> {
  const file = 'The file after --known-failures'
  const problem = `${file} is no JSON object with a reason for each id.`
  const reasons = z.record(z.string(), z.string().check(z.minLength(1)))
  return readText({ path, file, content: 'the known failures', maxBytes: maxFileBytes }, terminal).then(
    text => parse(reasons, text, problem),
  )
}

/** Makes the folder of the reports: a run whose reports have no place need not begin. */
export const makeReportFolder = (folder: string) => told('made', mkdir(folder, { recursive: true }))

export const writeReportFiles = (report: ConformanceReport, folder: string) =>
  told('written to', writeReports(report, folder))

async function told(what: string, written: Promise<unknown>): Promise<void> {
  try {
    await written
  } catch (error) {
    // Not as cause: its words have the path, which may be personal.
    throw new FileError(`The folder of the reports cannot be ${what}: ${codeOf(error)}.`)
  }
}

function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  problem: string,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    // Not as cause: its words quote the file.
    throw new FileError(problem)
  }
}
