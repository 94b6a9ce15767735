#!/usr/bin/env node
// A second start is over within milliseconds: nothing is imported at the top that the hand-off does not need.
import { defaultBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { HandOffOutcome } from '../instance/hand-off-message.ts'
import { makeLaunchId } from '../instance/launch-id.ts'
import { locateInstance } from '../instance/locate-instance.ts'
import { offerLaunch } from '../instance/offer-launch.ts'
import { locateFolders } from '../settings/wrapper-folders.ts'

const exitFailed = 1
const exitRefused = 2

// Node 22 and 24 call parts of Node experimental that this program relies on; that is nothing for its users to act on.
process.removeAllListeners('warning').on('warning', warning => {
  if (warning.name !== 'ExperimentalWarning') report(`${warning.name}: ${warning.message}`)
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  report(await sentenceOf(error))
  process.exitCode = exitRefused
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'doctor') return (await import('./doctor-command.ts')).doctorCommand(argv.slice(1))
  if (argv.some(argument => argument === '--help' || argument === '-h' || argument === '/?')) return help()
  if (argv[0] === 'settings') return (await import('./settings-command.ts')).settingsCommand(argv.slice(1))
  const launch = { id: makeLaunchId(), argv, workingDirectory: workingDirectory() }
  const folders = locateFolders(defaultBrand)
  const place = locateInstance({ application: defaultBrand.application, userFolder: folders.userFolder })
  const outcome = await offerLaunch(place, { launch })
  // At once: there is nothing left to write or to close, and taking Node apart in order costs as much as the hand-off.
  if (outcome && outcome.status !== 'refused') process.exit(0)
  if (outcome) return reportOutcome(outcome)
  const { runWrapper } = await import('./run-wrapper.ts')
  const end = await runWrapper({ ...launch, argv: [...argv] }, folders, report)
  if (end.role === 'handed-off') return reportOutcome(end.outcome)
  return end.hasFailed ? exitFailed : 0
}

async function help(): Promise<number> {
  const { helpText } = await import('./help-text.ts')
  process.stdout.write(helpText)
  return 0
}

function reportOutcome(outcome: HandOffOutcome): number {
  if (outcome.status !== 'refused') return 0
  report(`${outcome.message} (${outcome.code})`)
  return exitRefused
}

/**
 * A directory can be removed while a process is in it. A launch that names no file needs none; one that does finds nothing in a
 * directory that is not there, rather than a file of the same name somewhere else.
 */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '/nonexistent'
  }
}

function report(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

async function sentenceOf(error: unknown): Promise<string> {
  if (isServiceLinkError(error)) return `${error.message} (${error.code})`
  const { kindOf } = await import('../kind-of.ts')
  return `Something failed that should not have (${kindOf(error)}). Report it. (ERR_INTERNAL)`
}
