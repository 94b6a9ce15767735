import { styleText } from 'node:util'
import { type SettingDefinition, type SettingScope, settingsTable } from '@service-link/protocol-core'
import { plainLine } from '@service-link/terminal'
import { hasProvider, providersFolder } from '../launch/provider-modules.ts'
import type { FoundConfigFile } from './config-file.ts'
import { findSettings } from './find-settings.ts'
import { policyKey } from './policies.ts'
import { type ResolvedSettings, readAppUrl, resolveSettings, type SettingOrigin } from './resolve-settings.ts'
import type { FindSettingsOptions } from './wrapper-folders.ts'

interface FileReport {
  readonly path: string
  readonly state: FoundConfigFile['state']
  /** The fault, with line and column if known. */
  readonly problem?: string
  /** The next start copies the user's settings from this version. */
  readonly takenOverFrom?: string
}

interface SettingReport {
  readonly name: string
  readonly scope: SettingScope
  /** Addresses have no user info, query or fragment: these may be credentials. */
  readonly value: unknown
  readonly default: unknown
  readonly origin: SettingOrigin
  /** Path of its file or key of its policy; absent for a default. */
  readonly file?: string
  readonly problem?: string
  readonly summary: string
}

export interface SettingsReport {
  readonly application: string
  readonly version: string
  readonly files: { readonly application: FileReport; readonly user: FileReport }
  readonly settings: readonly SettingReport[]
  /** Names in the files without effect. A save keeps them. */
  readonly unknown: readonly string[]
  readonly isRight: boolean
}

/**
 * Reports the settings of a wrapper's next start and their sources. Changes nothing.
 *
 * @param providers type names of the program's own providers
 */
export async function describeSettings(
  options: FindSettingsOptions,
  providers: readonly string[] = [],
): Promise<SettingsReport> {
  const { brand, version } = options
  const found = await findSettings(options)
  const resolved = resolveSettings(brand, found)
  const userFile = found.older?.file ?? found.user.file
  const paths: Readonly<Record<SettingOrigin, string | undefined>> = {
    default: undefined,
    'application file': found.application.file,
    'user file': userFile,
    'machine policy': `HKLM\\${policyKey(brand)}`,
    'user policy': `HKCU\\${policyKey(brand)}`,
  }
  const { ProtocolProvider } = resolved.values
  const { applicationRoot } = options.folders
  const misses = !(await hasProvider(applicationRoot, brand, ProtocolProvider, providers).catch(() => true))
  const settings = Object.entries<SettingDefinition>(settingsTable(brand)).map(([name, definition]) => {
    const setting = name as keyof ResolvedSettings['values']
    const file = paths[resolved.origins[setting]]
    const problem =
      setting === 'ProtocolProvider' && misses
        ? `names a provider that is not there; correct it, or put its module into the folder ${providersFolder}`
        : problemOf(setting, resolved, 'error' in found.application)
    return {
      name,
      scope: definition.scope,
      value: masked(resolved.values[setting]),
      default: definition.parse.parse(definition.defaultText),
      origin: resolved.origins[setting],
      ...(file === undefined ? {} : { file }),
      ...(problem === undefined ? {} : { problem }),
      summary: definition.summary,
    }
  })
  const files = {
    application: describeFile(found.application, settings),
    user: {
      ...describeFile(found.user, settings),
      ...(found.older ? { takenOverFrom: found.older.version } : {}),
    },
  }
  const isRight = [files.application, files.user, ...settings].every(part => part.problem === undefined)
  return { application: brand.application, version, files, settings, unknown: resolved.unknown, isRight }
}

/** People read the report and pass it on. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  return typeof value === 'string' ? maskAddress(value) : value
}

function describeFile(found: FoundConfigFile, settings: readonly SettingReport[]): FileReport {
  const problem = problemOfFile(found, settings)
  return { path: found.file, state: found.state, ...(problem === undefined ? {} : { problem }) }
}

/** Parts of a file that hold settings and are not read. */
function problemOfFile(found: FoundConfigFile, settings: readonly SettingReport[]): string | undefined {
  if ('error' in found) return found.error.message
  if (found.state === 'absent') return undefined
  const others = found.content.notices.filter(({ setting }) => settings.every(({ name }) => name !== setting))
  const problems = others.map(({ setting, problem }) => `${setting} ${problem}`)
  return problems.length === 0 ? undefined : `${found.file}: ${problems.join('; ')}`
}

function problemOf(
  name: string,
  { values, notices, faults }: ResolvedSettings,
  isFileDamaged: boolean,
): string | undefined {
  const found = [...faults, ...notices].find(({ setting }) => setting === name)?.problem
  // The wrapper needs an address to start. A damaged file may have one.
  if (found !== undefined || name !== 'AppUrl' || isFileDamaged || readAppUrl(values.AppUrl)) return found
  return 'is not set to an http or https address in the application file'
}

/**
 * Masks user info, query and fragment of addresses, which may be credentials. Keeps other words. Returns the text, with
 * `https://…@app.example/start?…` for `https://ola:secret@app.example/start?key=secret`.
 */
function maskAddress(text: string): string {
  return text.replaceAll(/(?<!\S)([a-z][a-z\d+.-]*:)(\S*)/gi, (_address, scheme: string, rest: string) => {
    const [, beforeQuery = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest) ?? []
    // Browsers treat both kinds of slashes alike, in any number.
    const place = beforeQuery.replace(/^([/\\]*)[^/\\]*@/, '$1…@')
    return `${scheme}${place}${query && '?…'}${fragment && '#…'}`
  })
}

const stateWords: Readonly<Record<FileReport['state'], string>> = {
  read: 'read',
  absent: 'not there',
  damaged: 'damaged',
  unreadable: 'cannot be read',
}

/** Writes a report for people: aligned, and colored where standard output shows colors. */
export function settingsText(report: SettingsReport): string {
  const { files, settings, unknown } = report
  const problems = [
    ...[files.application, files.user].flatMap(({ problem }) => (problem ? [problem] : [])),
    ...settings.flatMap(({ name, problem }) => (problem ? [`${name} ${problem}`] : [])),
  ]
  return [
    style('bold', `${report.application} ${report.version}`),
    '',
    ...alignColumns([
      ['Application file', stateWords[files.application.state], files.application.path],
      ['User’s file', describeUserFile(files.user), files.user.path],
    ]),
    '',
    ...settingLines(settings),
    ...(problems.length > 0 ? ['', style('bold', 'What is wrong')] : []),
    ...problems.map(problem => style('red', plainLine(problem))),
    ...(unknown.length > 0 ? ['', `Without effect, and kept: ${plainLine(unknown.join(', '))}`] : []),
    '',
  ].join('\n')
}

function describeUserFile({ state, takenOverFrom }: FileReport): string {
  if (state === 'damaged') return 'damaged; the next start sets it aside'
  if (takenOverFrom) return `not there; the next start takes over that of ${takenOverFrom}`
  return state === 'absent' ? 'not there; the next start makes it' : stateWords[state]
}

function settingLines(settings: readonly SettingReport[]): string[] {
  const [header = '', ...lines] = alignColumns([
    ['Setting', 'Value', 'From', 'Scope', 'Default'],
    ...settings.map(({ name, value, origin, scope, default: byDefault }) => [
      name,
      valueText(value),
      origin,
      scope,
      valueText(byDefault),
    ]),
  ])
  return [style('bold', header), ...lines.map((line, index) => styleSetting(line, settings[index]))]
}

function styleSetting(line: string, setting: SettingReport | undefined): string {
  if (setting?.problem !== undefined) return style('red', line)
  return setting?.origin === 'default' ? style('dim', line) : line
}

/** A value as the settings files write it. */
function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? value.join(' ') : String(value)
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map(row => row.map(plainLine))
  const widthOf = (column: number) => Math.max(...cells.map(row => row[column]?.length ?? 0))
  return cells.map(row =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  )
}

function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: process.stdout })
}
