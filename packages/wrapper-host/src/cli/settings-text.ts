import { styleText } from 'node:util'
import type { FileReport, SettingReport, SettingsReport } from '../settings/describe-settings.ts'

const gap = '  '

const stateWords: Readonly<Record<FileReport['state'], string>> = {
  read: 'read',
  absent: 'not there',
  damaged: 'damaged',
  unreadable: 'cannot be read',
}

/** Writes a report for people: aligned, and coloured where standard output is a terminal that shows colours. */
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
      ['User’s file', wordsOfUserFile(files.user), files.user.path],
    ]),
    '',
    ...settingLines(settings),
    ...(problems.length > 0 ? ['', style('bold', 'What is wrong')] : []),
    ...problems.map(problem => style('red', printable(problem))),
    ...(unknown.length > 0 ? ['', `Not known, and kept: ${printable(unknown.join(', '))}`] : []),
    '',
  ].join('\n')
}

function wordsOfUserFile({ state, takenOverFrom }: FileReport): string {
  if (state === 'damaged') return 'damaged; the next start sets it aside'
  if (takenOverFrom) return `not there; the next start takes over that of ${takenOverFrom}`
  return state === 'absent' ? 'not there; the next start makes it' : stateWords[state]
}

function settingLines(settings: readonly SettingReport[]): string[] {
  const [header = '', ...lines] = alignColumns([
    ['Setting', 'Value', 'From', 'Scope', 'Default'],
    ...settings.map(({ name, value, origin, scope, default: byDefault }) => [
      name,
      textOf(value),
      origin,
      scope,
      textOf(byDefault),
    ]),
  ])
  return [style('bold', header), ...lines.map((line, index) => styleSetting(line, settings[index]))]
}

function styleSetting(line: string, setting: SettingReport | undefined): string {
  if (setting?.problem !== undefined) return style('red', line)
  return setting?.origin === 'default' ? style('dim', line) : line
}

/** As the files write it. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? value.join(' ') : String(value)
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map(row => row.map(printable))
  const widthOf = (column: number) => Math.max(...cells.map(row => row[column]?.length ?? 0))
  return cells.map(row =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join(gap)
      .trimEnd(),
  )
}

/** A file's text must not steer a terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\uFFFD')
}

function style(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: process.stdout })
}
