// A second start takes milliseconds, so the top imports only what the hand-off needs.

import type { HandOffOutcome } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { alertArgument as ownAlertArgument } from '@service-link/window-engine'
import { InstanceAccessError } from '../files/access.ts'
import { foldersOf, type WrapperFolders } from '../settings/wrapper-folders.ts'
import { makeLaunchId, offerLaunch } from '../start/hand-off.ts'
import { locateInstance } from '../start/instance-place.ts'
import { assertSupportedNode } from '../start/supported-node.ts'
import type { ProgramIdentity } from './program-identity.ts'
import type { ProgramParts } from './program-parts.ts'

const exitFailed = 1
const exitRefused = 2

/**
 * Runs the wrapper's program: hands its arguments to the running wrapper, becomes the wrapper, or carries out a subcommand. Sets the
 * exit code of the process; never rejects.
 */
export async function runWithParts(
  identity: ProgramIdentity,
  loadParts: () => Promise<ProgramParts>,
): Promise<void> {
  // Users cannot act on warnings about experimental parts of Node.
  process.removeAllListeners('warning').on('warning', warning => {
    if (warning.name !== 'ExperimentalWarning') report(`${warning.name}: ${warning.message}`)
  })
  try {
    assertSupportedNode()
    process.exitCode = await main(process.argv.slice(2), identity, loadParts)
  } catch (error) {
    // An older Node cannot load the parts.
    const failure = isServiceLinkError(error) ? error : (await loadParts()).nameFailure(error)
    report(`${failure.message} (${failure.code})`, failure.docsUrl)
    process.exitCode = exitRefused
  }
}

async function main(
  argv: readonly string[],
  identity: ProgramIdentity,
  loadParts: () => Promise<ProgramParts>,
): Promise<number> {
  if (namesSubcommand(argv)) {
    const exitCode = await (await loadParts()).runSubcommand(argv, identity)
    // Ends pending work too, such as a network request.
    process.stderr.write('', () => process.exit(exitCode))
    return exitCode
  }
  if (argv.length === 1 && argv[0] === alertArgument) return (await loadParts()).showAlert()
  const folders = foldersOf(identity.brand)
  try {
    return await launchWrapper(argv, identity, folders, loadParts)
  } catch (error) {
    const parts = await loadParts()
    const failure = parts.nameFailure(error)
    const sentence = await parts.addHint(failure, argv)
    report(sentence, failure.docsUrl)
    const told = await parts.tellFailedStart({ error, sentence, argv }, identity, folders)
    if (told !== undefined) report(told)
    return exitRefused
  }
}

/** `alertArgument` of window-engine, which a second start does not load. */
const alertArgument: typeof ownAlertArgument = '--alert'

function namesSubcommand(argv: readonly string[]): boolean {
  if (['doctor', 'settings', 'installer', 'test', 'help'].includes(argv[0] ?? '')) return true
  // Beside arguments of a launch it is an unknown switch, which is ignored.
  if (argv.length === 1 && argv[0] === '--version') return true
  return argv.some(argument => ['--help', '-h', '/?'].includes(argument))
}

async function launchWrapper(
  argv: readonly string[],
  identity: ProgramIdentity,
  folders: WrapperFolders,
  loadParts: () => Promise<ProgramParts>,
): Promise<number> {
  const { brand } = identity
  const launch = { id: makeLaunchId(), argv: [...argv], workingDirectory: workingDirectory() }
  const place = locateInstance({ application: brand.application, userFolder: folders.userFolder })
  const outcome = await offerLaunch(place, { launch }).catch(error => {
    const isElevated = error instanceof InstanceAccessError && error.fault === 'elevated-wrapper'
    if (!isElevated) throw error
    // The start finds the elevated wrapper again and logs it. The log is not loaded yet.
    return undefined
  })
  // Nothing is left to write or close, and Node's regular end takes as long as the hand-off.
  if (outcome && outcome.status !== 'refused' && !('notice' in outcome || 'focusNumber' in outcome))
    process.exit(0)
  if (outcome) return reportOutcome(outcome, argv, loadParts)
  const parts = await loadParts()
  const end = await parts.run({ ...launch, argv: [...argv] }, identity, folders, report)
  if (end.role === 'handed-off') return reportOutcome(end.outcome, argv, loadParts)
  return end.hasFailed ? exitFailed : 0
}

async function reportOutcome(
  outcome: HandOffOutcome,
  argv: readonly string[],
  loadParts: () => Promise<ProgramParts>,
): Promise<number> {
  if (outcome.status !== 'refused') {
    if (outcome.notice !== undefined) report(outcome.notice)
    const { focusNumber } = { focusNumber: undefined, ...outcome }
    if (focusNumber !== undefined) process.stdout.write(`${JSON.stringify({ focusnumber: focusNumber })}\n`)
    return 0
  }
  report(await (await loadParts()).addHint(outcome, argv), outcome.docsUrl)
  return exitRefused
}

/**
 * The working directory may have been removed. Then a relative file name of the launch must match no file, so this returns a folder
 * that does not exist.
 */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '/nonexistent'
  }
}

/** Prints lines: a sentence, and the entry of a failure's code in the error index where there is one. */
function report(...lines: readonly (string | undefined)[]): void {
  process.stderr.write(`${lines.filter(Boolean).join('\n')}\n`)
}
