import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackError } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'
import { unescapeXml } from './wxs-elements.ts'

/** Windows: candle and light of the WiX Toolset, version 3. */
export const buildWithWix: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  const object = join(temporary, 'installer.wixobj')
  const variables = [`-dFolder=${folder}`, `-dIcon=${icon}`]
  const candle = ['-nologo', '-wx', '-arch', 'x64', ...variables, '-out', object, wxs]
  // candle always prints the name of each source.
  const run = { workingDirectory: temporary, signal, failsAtWarnings: true }
  // The validation refuses advertised shortcuts of a package for one user, and needs a service that build machines often lack.
  const light = ['-nologo', '-wx', '-sval', '-spdb', '-out', msi, object]
  return (await runBuilder('candle', candle, run)) && (await runBuilder('light', light, run))
}

/** The input of a tool that makes an installer. */
interface MsiSource {
  /** Absolute path of the source, UTF-8. */
  readonly wxs: string
  /** The packed folder, absolute: the source's variable `Folder`. */
  readonly folder: string
  /** An icon file, absolute: the source's variable `Icon`. */
  readonly icon: string
  /** Absolute path of the installer to be made. */
  readonly msi: string
  /** Folder for temporary files, absolute. */
  readonly temporary: string
  /** Identity of the package, a GUID in upper case without braces: another content has another one. */
  readonly packageCode: string
  /** When it says that it was made. */
  readonly time: Date
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes an installer from its source. The programs are found by name.
 *
 * @returns `false` when the programs are not installed
 */
type BuildMsi = (source: MsiSource) => Promise<boolean>

/** wixl ignores the source's code page. Without this table Windows would show other letters for those beyond ASCII. */
const codepageTable = '\r\n\r\n65001\t_ForceCodepage\r\n'

/** Linux and macOS: wixl, and msibuild of the same project. */
export const buildWithWixl: BuildMsi = async source => {
  const { wxs, folder, icon, msi, temporary, signal } = source
  // wixl finds files below its working directory only, by relative paths.
  const variables = ['-D', `Folder=${relative(temporary, folder)}`, '-D', `Icon=${relative(temporary, icon)}`]
  // The times of files in a cabinet are local ones.
  const run = { workingDirectory: temporary, signal, environment: { ...process.env, TZ: 'UTC' } }
  // wixl loses letters that Windows-1252 lacks, or crashes.
  const marked = join(temporary, 'marked.wxs')
  const text = await readFile(wxs, 'utf8')
  const known = text
    .replaceAll(shortcutProperty, '')
    .replaceAll(/ OnExit="(\w+)"/g, (_all, end) => ` Sequence="${ends[end]}"`)
  await writeFile(marked, markLetters(known))
  if (!(await runBuilder('wixl', ['--arch', 'x64', ...variables, '--output', msi, marked], run))) return false
  await writeFile(join(temporary, '_ForceCodepage.idt'), codepageTable)
  if (!(await runBuilder('msibuild', [msi, '-i', '_ForceCodepage.idt'], run))) return false
  await repairTables(source, text, run)
  await writeFile(join(temporary, 'MsiShortcutProperty.idt'), shortcutProperties(text))
  return runBuilder('msibuild', [msi, '-i', 'MsiShortcutProperty.idt'], run)
}

/** Places of actions at the end of an installation, which wixl knows by number only. */
const ends: Readonly<Record<string, string>> = { cancel: '-2', error: '-3' }

/** Bits of a custom action's type: in a script, the one of the rollback. wixl sets none of them. */
const rollbackType = 0x100 | 0x400

/** Property of a shortcut, which wixl does not know. */
const shortcutProperty = /<ShortcutProperty Key="([^"]+)" Value="([^"]+)"\/>/g

/** The table of the shortcuts' properties, as a file for msibuild. */
function shortcutProperties(wxs: string): string {
  const shortcuts = wxs.matchAll(
    new RegExp(`<Shortcut Id="([^"]+)"[^>]*>\\s*${shortcutProperty.source}`, 'g'),
  )
  const rows = Array.from(shortcuts, ([, id, key, value = '']) =>
    [id, id, key, unescapeXml(value)].join('\t'),
  )
  const head = ['MsiShortcutProperty\tShortcut_\tPropertyKey\tPropVariantValue', 's72\ts72\ts0\ts0']
  return [...head, 'MsiShortcutProperty\tMsiShortcutProperty', ...rows, ''].join('\r\n')
}

/** Longest run of one program, in milliseconds: an executable of 100 MB takes some seconds. */
const timeoutMs = 600_000

interface RunBuilderOptions {
  /** Absolute. */
  readonly workingDirectory: string
  readonly signal: AbortSignal | undefined
  /** Whether a warning changes its exit code. Then it may print. Otherwise any output is a warning. */
  readonly failsAtWarnings?: boolean
  readonly environment?: NodeJS.ProcessEnv
}

/**
 * Runs one program. A warning is an error: it means that the installer lacks something.
 *
 * @returns `false` when the program is not installed
 */
async function runBuilder(
  program: string,
  args: readonly string[],
  { failsAtWarnings = false, ...run }: RunBuilderOptions,
): Promise<boolean> {
  const { exitCode, startProblem, output } = await runTool(program, args, { ...run, timeoutMs })
  if (startProblem === 'ENOENT') return false
  const said = output.trim()
  if (exitCode === 0 && (failsAtWarnings || said === '')) return true
  const end = exitCode === null ? 'crashed, or took longer than ten minutes' : `ended with ${exitCode}`
  const how = startProblem ? `could not be started (${startProblem})` : end
  throw new PackError(`The installer was not made: ${program} ${how}${said ? ` and printed:\n${said}` : '.'}`)
}

/** Writes what wixl cannot into the tables of an installer and into its summary. */
async function repairTables(
  { msi, packageCode, time }: MsiSource,
  wxs: string,
  run: RunBuilderOptions,
): Promise<void> {
  const ask = async (...args: string[]) => {
    // msiinfo writes icons into its working directory.
    const { exitCode, stdout } = await runTool('msiinfo', args, { ...run, timeoutMs })
    if (exitCode === 0) return stdout
    throw new PackError(`The installer was not made: msiinfo ${args[0]} failed.`)
  }
  const moment = time
    .toISOString()
    .replaceAll('-', '/')
    .replace(/T(.{8}).*/, ' $1')
  const rollbacks = Array.from(
    wxs.matchAll(/<CustomAction Id="([^"]+)"[^>]* Execute="rollback"/g),
    ([, id]) => id,
  )
  const repairs: Readonly<Record<string, (table: string) => string>> = {
    CustomAction: table =>
      table.replaceAll(/^([^\t]+)\t(\d+)\t/gm, (row, id, type) =>
        rollbacks.includes(id) ? `${id}\t${Number(type) | rollbackType}\t` : row,
      ),
    // The root of the installation's context is -1; wixl writes 4.
    Registry: table => table.replaceAll(/^([^\t]+\t)4\t/gm, '$1-1\t'),
    // By number: 9 the package's identity, 12 and 13 the times of its making and its last change. wixl takes random and present ones.
    [summary]: table =>
      table.replace(/^9\t.*?$/m, `9\t{${packageCode}}`).replaceAll(/^(1[23])\t.*?$/gm, `$1\t${moment}`),
  }
  const tables = (await ask('tables', msi)).split(/\s+/).filter(name => /^[A-Za-z]/.test(name))
  for (const name of [...tables, summary]) {
    const table = (await ask('export', msi, name)).replaceAll('\r\n', '\n')
    const restored = unmarkLetters(repairs[name]?.(table) ?? table)
    if (restored === table) continue
    await writeFile(join(run.workingDirectory, `${name}.idt`), restored.replaceAll('\n', '\r\n'))
    if (name !== summary) await runBuilder('msibuild', [msi, '-q', `DELETE FROM \`${name}\``], run)
    await runBuilder('msibuild', [msi, '-i', `${name}.idt`], run)
  }
}

const summary = '_SummaryInformation'

const mark = /__u([\da-f]{6})__/g

/**
 * Replaces all letters beyond ASCII in the attributes and texts of an installer's source by marks, except in paths of this machine.
 */
function markLetters(wxs: string): string {
  return wxs.replaceAll(/( (?:Source|SourceFile)="[^"]*")|([^\p{ASCII}])/gu, (_all, file, letter: string) => {
    if (file !== undefined) return file
    return `__u${letter.codePointAt(0)?.toString(16).padStart(6, '0')}__`
  })
}

function unmarkLetters(text: string): string {
  return text.replaceAll(mark, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
}
