import { dirname } from 'node:path'
import { readLaunchWords } from '@service-link/cli-args'
import type { HandOffOutcome } from '@service-link/protocol-core'
import { ClosingError, isServiceLinkError, type Launch } from '@service-link/protocol-core'
import { EngineError, windowPlatform } from '@service-link/window-engine'
import { isHeadless } from '../doctor/machine-checks.ts'
import { kindOf } from '../log/failure-reason.ts'
import { findSettings } from '../settings/find-settings.ts'
import { resolveSettings } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { RunningWrapper } from '../start/become-wrapper.ts'
import { createWrapper } from '../start/create-wrapper.ts'
import { CrashError, mayPass, noteFailedStart } from '../start/failed-start.ts'
import { ownCommand, processFacts } from '../start/note-installation.ts'
import { loadTexts } from '../texts/load-texts.ts'
import { fillText } from '../texts/wrapper-texts.ts'
import type { ProgramIdentity } from './program-identity.ts'
import { showAlert } from './show-alert.ts'

/** How it ended: another process was quicker and has the launch, or this one was the wrapper. */
type WrapperEnd =
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }
  /** `hasFailed`: a failure ended the wrapper after its start. */
  | { readonly role: 'wrapper'; readonly hasFailed: boolean }

/** Longest wait in milliseconds for a crashed wrapper to close, and for the process to end after the wrapper. */
const lastWaitMs = 10_000

/**
 * Becomes the wrapper until its window, the pipe or a signal closes it. After an uncaught exception its state is unknown, so it
 * closes and logs that.
 */
export async function runWrapper(
  launch: Launch,
  identity: ProgramIdentity,
  folders: WrapperFolders,
  onNotice: (sentence: string) => void,
): Promise<WrapperEnd> {
  const { brand, version, own } = identity
  // Clients in the field find the process by the executable's name.
  process.title = brand.application
  windowPlatform().identifyProcess?.(brand.applicationId)
  // The terminal may be closed.
  process.stderr.on('error', () => undefined)
  // Integrators' providers load from here on. Their warnings may name a person.
  process.removeAllListeners('warning').on('warning', warning => {
    if (warning.name !== 'ExperimentalWarning') onNotice(`A part of the wrapper warns (${kindOf(warning)}).`)
  })
  const ending = new AbortController()
  let hasFailed = false
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => ending.abort(new ClosingError()))
  process.on('uncaughtException', error => {
    if (hasFailed) return
    hasFailed = true
    const crash = new CrashError(error)
    onNotice(crash.message)
    exitWithin(lastWaitMs, 1)
    ending.abort(crash)
  })
  const facts = processFacts()
  leaveFolder()
  const installed = facts ? { installedAs: ownCommand(facts) } : {}
  const wrapper = createWrapper({ ...own, brand, version, folders, onNotice, ...installed })
  const { signal } = ending
  const start = await wrapper.start(launch, { signal }).catch(error => {
    // A regular end: the pipe closed the wrapper before its window was open.
    const isClosed = error instanceof ClosingError && !signal.aborted
    if (hasFailed || isClosed) return undefined
    throw error
  })
  if (start?.role === 'handed-off') return start
  if (start) {
    const failure = await failureOf(start.wrapper, signal, onNotice)
    if (failure !== undefined) hasFailed = true
    if (failure instanceof EngineError && failure.fault === 'gone') await tellLostWindow(identity, folders)
  }
  // Ends work that an integrator's provider left running.
  exitWithin(lastWaitMs, hasFailed ? 1 : 0)
  return { role: 'wrapper', hasFailed }
}

/** Windows keeps a process's working directory from being removed. The launch has its own copy of the path. */
function leaveFolder(): void {
  try {
    process.chdir(dirname(process.execPath))
  } catch {
    // The folder may not be accessible. Then the directory stays.
  }
}

/** Waits until the wrapper has closed. Returns its failure, if there is one, and reports it by `onNotice`. */
async function failureOf(
  wrapper: RunningWrapper,
  ending: AbortSignal,
  onNotice: (sentence: string) => void,
): Promise<unknown> {
  const close = () => {
    const { reason } = ending
    void wrapper.close(reason instanceof CrashError ? reason : undefined).catch(() => undefined)
  }
  ending.addEventListener('abort', close, { once: true })
  if (ending.aborted) close()
  const { pipeAddress: pipe } = wrapper
  onNotice(`The wrapper runs. ${pipe === undefined ? 'It has no pipe.' : `Its pipe: ${pipe}`}`)
  try {
    await wrapper.closed
    return undefined
  } catch (error) {
    onNotice(
      isServiceLinkError(error)
        ? [`${error.message} (${error.code})`, error.docsUrl ?? []].flat().join('\n')
        : `Not all has ended (${kindOf(error)}).`,
    )
    return error
  }
}

/** Says in a message box why the window has vanished. The log and standard error have the failure. */
async function tellLostWindow(identity: ProgramIdentity, folders: WrapperFolders): Promise<void> {
  const { brand, version } = identity
  const { values } = resolveSettings(brand, await findSettings({ brand, folders, version }))
  const { lostTitle: title, lostAdvice: text } = await textsOf(identity, values.Culture)
  if (!isHeadless(values)) await showAlert({ title, text })
}

function textsOf({ brand, own }: ProgramIdentity, culture: string) {
  return loadTexts({ displayName: brand.displayName, language: own?.language, culture, own: own?.texts })
}

function exitWithin(ms: number, exitCode: number): void {
  setTimeout(() => process.exit(exitCode), ms).unref()
}

interface FailedStart {
  readonly error: unknown
  /** The fault and its remedy, with the code. */
  readonly sentence: string
  readonly argv: readonly string[]
}

/**
 * Reports a failed start in the log and in a message box of the desktop. There is no box without a screen, or when a program waits
 * with `wait=true`. The box outlives this process. Returns a further sentence for standard error when the log cannot be written.
 */
export async function tellFailedStart(
  { error, sentence, argv }: FailedStart,
  identity: ProgramIdentity,
  folders: WrapperFolders,
): Promise<string | undefined> {
  const { brand, version } = identity
  const note = await noteFailedStart(error, { brand, folders, version })
  if (!note) return undefined
  const { engine, culture, logFile, problem } = note
  const unwritten = problem === undefined ? undefined : `The log ${logFile} cannot be written (${problem}).`
  if (isWaiting(argv) || isHeadless({ BrowserEngine: engine })) return unwritten
  const texts = await textsOf(identity, culture)
  const place = unwritten ?? (logFile === undefined ? [] : fillText(texts.logPlace, { file: logFile }))
  const advice = mayPass(error) ? texts.startFailedAdvice : texts.startFailedLastingAdvice
  const lines = [advice, sentence, place].flat()
  const alert = { title: texts.startFailedTitle, text: lines.join('\n\n') }
  await showAlert(alert)
  return unwritten
}

function isWaiting(argv: readonly string[]): boolean {
  try {
    return readLaunchWords(argv).wait
  } catch {
    return argv.some(argument => /^wait=true$/i.test(argument))
  }
}
