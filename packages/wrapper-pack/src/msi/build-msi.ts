import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { PackError } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'

/** Windows: candle and light of the WiX Toolset, version 3. */
export const buildWithWix: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  const object = join(temporary, 'installer.wixobj')
  const variables = [`-dFolder=${folder}`, `-dIcon=${icon}`]
  const candle = ['-nologo', '-wx', '-arch', 'x64', ...variables, '-out', object, wxs]
  // Whatever it is told, candle writes the name of each source.
  const run = { workingDirectory: temporary, signal, failsAtWarnings: true }
  if (!(await runBuilder('candle', candle, run))) return false
  // Its validation knows no advertised shortcut of a package for one user, and wants a service that build machines often lack.
  const light = ['-nologo', '-wx', '-sval', '-spdb', '-out', msi, object]
  if (!(await runBuilder('light', light, run)))
    throw new PackError(
      'installer',
      'candle is there and light is not. Install the WiX Toolset 3 as a whole.',
    )
  return true
}

/** What a tool makes an installer of. */
export interface MsiSource {
  /** Absolute path of the source, UTF-8. */
  readonly wxs: string
  /** The packed folder, absolute: the source's variable `Folder`. */
  readonly folder: string
  /** An icon file, absolute: the source's variable `Icon`. */
  readonly icon: string
  /** Absolute path of the installer to be made. */
  readonly msi: string
  /** Folder for what is in between, absolute. */
  readonly temporary: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes an installer of its source by programs that are found by name.
 *
 * @returns whether the programs are there; the installer is then, too
 * @throws {PackError} when they are there and fail, or warn
 */
export type BuildMsi = (source: MsiSource) => Promise<boolean>

/** wixl says of no text how it is written, whatever its source asks for: Windows would show letters beyond ASCII as others. */
const codepageTable = '\r\n\r\n65001\t_ForceCodepage\r\n'

/** Linux and macOS: wixl, and msibuild of the same project. */
export const buildWithWixl: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  // It finds files below its working directory only, and takes a path that is not absolute for such a one.
  const variables = ['-D', `Folder=${relative(temporary, folder)}`, '-D', `Icon=${relative(temporary, icon)}`]
  const run = { workingDirectory: temporary, signal }
  // It loses texts with letters that Windows-1252 lacks, or crashes at them.
  const text = await readFile(wxs, 'utf8')
  const marked = join(temporary, 'marked.wxs')
  await writeFile(marked, markLetters(text))
  if (!(await runBuilder('wixl', ['--arch', 'x64', ...variables, '--output', msi, marked], run))) return false
  await writeFile(join(temporary, '_ForceCodepage.idt'), codepageTable)
  if (!(await runBuilder('msibuild', [msi, '-i', '_ForceCodepage.idt'], run)))
    throw new PackError('installer', 'wixl is there and msibuild is not. Install the package msitools.')
  if (markLetters(text) !== text) await restoreLetters(msi, run)
  return true
}

/** Longest run of one program, in milliseconds: an executable of 100 MB takes some seconds. */
const timeoutMs = 600_000

/** How a program of a builder is run. */
export interface RunBuilderOptions {
  /** Absolute. */
  readonly workingDirectory: string
  readonly signal: AbortSignal | undefined
  /** Whether its exit code tells of warnings, too; it may then write what it does. */
  readonly failsAtWarnings?: boolean
}

/**
 * Runs one program of a builder. A warning is about something that an installer would lack, and is an error.
 *
 * @returns false when there is no such program
 * @throws {PackError} when it fails, or warns
 */
export async function runBuilder(
  program: string,
  args: readonly string[],
  { workingDirectory, signal, failsAtWarnings = false }: RunBuilderOptions,
): Promise<boolean> {
  const { exitCode, startProblem, output } = await runTool(program, args, {
    timeoutMs,
    signal,
    workingDirectory,
  })
  if (startProblem === 'ENOENT') return false
  const said = output.trim()
  if (exitCode === 0 && (failsAtWarnings || said === '')) return true
  const end = exitCode === null ? 'crashed, or took longer than ten minutes' : `ended with ${exitCode}`
  const how = startProblem ? `could not be started (${startProblem})` : end
  throw new PackError(
    'installer',
    `The installer was not made: ${program} ${how}${said ? ` and said:\n${said}` : '.'}`,
  )
}

/** A table has a row for each file that is installed. */
const maxTableBytes = 64 * 1024 * 1024

/**
 * Puts letters in the place of their marks, in all tables of an installer and in what its properties show.
 *
 * @param msi absolute path of an installer whose code page is UTF-8 already
 * @throws {PackError} `installer` when the programs of msitools fail
 * @throws the signal's reason when it was aborted
 */
export async function restoreLetters(msi: string, run: RunBuilderOptions): Promise<void> {
  const ask = (...args: string[]) => askInstaller(args, run)
  const tables = (await ask('tables', msi)).split(/\s+/).filter(name => /^[A-Za-z]/.test(name))
  for (const name of tables) {
    const table = await ask('export', msi, name)
    const restored = unmarkLetters(table)
    if (restored === table) continue
    await writeFile(join(run.workingDirectory, `${name}.idt`), restored)
    await runBuilder('msibuild', [msi, '-q', `DELETE FROM \`${name}\``], run)
    await runBuilder('msibuild', [msi, '-i', `${name}.idt`], run)
  }
  const shown = await ask('suminfo', msi)
  const [subject = '', author = ''] = ['Subject', 'Author'].map(name =>
    unmarkLetters(new RegExp(`^${name}: (.*)$`, 'm').exec(shown)?.[1] ?? ''),
  )
  const identity = `{${randomUUID().toUpperCase()}}`
  await runBuilder('msibuild', [msi, '-s', subject, author, 'x64;1033', identity], run)
}

async function askInstaller(
  args: readonly string[],
  { workingDirectory, signal }: RunBuilderOptions,
): Promise<string> {
  // It writes the icons beside the table of them.
  const options = { maxBuffer: maxTableBytes, cwd: workingDirectory, signal }
  try {
    return (await promisify(execFile)('msiinfo', args, options)).stdout
  } catch {
    signal?.throwIfAborted()
    throw new PackError('installer', `The installer was not made: msiinfo ${args[0]} failed.`)
  }
}

const mark = /__u([\da-f]{6})__/g

/**
 * Puts marks of ASCII letters in the place of all others in the attributes and texts of an installer's source, but for those that name
 * a file on this machine.
 */
export function markLetters(wxs: string): string {
  return wxs.replaceAll(/( (?:Source|SourceFile)="[^"]*")|([^\p{ASCII}])/gu, (_all, file, letter: string) => {
    if (file !== undefined) return file
    return `__u${letter.codePointAt(0)?.toString(16).padStart(6, '0')}__`
  })
}

/** What {@link markLetters} had marked. */
export function unmarkLetters(text: string): string {
  return text.replaceAll(mark, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
}
