import { join } from 'node:path'
import {
  type Brand,
  ClosingError,
  type Launch,
  machineCulture,
  type Settings,
} from '@service-link/protocol-core'
import { waitFor } from '@service-link/protocol-core/time'
import {
  type Engine,
  EngineError,
  externalOpener,
  type OpenExternal,
  probeEngine,
  selectEngine,
} from '@service-link/window-engine'
import { CommandRunner } from '../command/command-runner.ts'
import { noteAside } from '../install/note-installation.ts'
import { LaunchQueue } from '../launch/launch-queue.ts'
import { createProviderTable, type OwnProviders } from '../launch/provider-table.ts'
import type { ReportEvent } from '../log/events.ts'
import { createReporter, guardOwn, openLog } from '../log/log.ts'
import { PipeServer, PipeTakenError } from '../pipe/pipe-server.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { checkAppUrl } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { showTray } from '../tray/show-tray.ts'
import type { Tray } from '../tray/tray.ts'
import { offerUpdate } from '../update/offer-update.ts'
import { type HostedWindow, openWebApp } from '../web-app/open-web-app.ts'
import { WrapperSession } from '../web-app/wrapper-session.ts'
import type { RecoveryLimits } from '../window/recovery-limits.ts'
import { ResourceOwner } from '../window/resource-owner.ts'
import { guardedTexts, type WrapperTexts } from '../window/texts.ts'
import type { InstanceClaim } from './claim-instance.ts'
import { CrashError } from './failed-start.ts'

/** This process's wrapper. */
export interface RunningWrapper extends AsyncDisposable {
  /** Address of the named pipe. If another user has taken it, there is no pipe, and `onNotice` got a sentence. */
  readonly pipeAddress: string
  /**
   * Settles when the wrapper has exited: by the pipe command, by the user, by the end of its window, or by {@link close}. Rejects
   * with an {@link EngineError} (`gone`) if the engine ended too often (by default three times within a minute) or could not start
   * again. Rejects with an `AggregateError` if a part could not be ended; all others have ended.
   */
  readonly closed: Promise<void>
  /**
   * Restores the window if it is minimised, and brings it to the front.
   *
   * @throws {EngineError} when the engine fails
   */
  show(): Promise<void>
  /**
   * Ends the session of the signed-in user. The web app has 5 seconds to sign out at the service. Then its data is removed and it is
   * loaded again.
   *
   * @throws {EngineError} when the window ends before the data is removed. The log has `sign-out-failed`
   */
  signOut(): Promise<void>
  /**
   * Ends window, pipe and instance, and settles like {@link closed}. Waiting commands fail with `ERR_CLOSING`.
   *
   * @param crash uncaught error whose kind goes to the log
   */
  close(crash?: CrashError): Promise<void>
}

/** Options of {@link becomeWrapper}. */
export interface BecomeWrapperOptions {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly engine?: Engine
  readonly providers?: OwnProviders
  readonly commandTimeoutMs?: number
  readonly tray?: Tray | false
  readonly texts?: Partial<WrapperTexts>
  readonly recovery?: RecoveryLimits
  readonly openExternal?: OpenExternal
  readonly installedAs?: readonly string[]
  /** Ends the start. */
  readonly signal?: AbortSignal
  onNotice?(sentence: string): void
}

/** The claim of a process that becomes the wrapper. */
type WrapperClaim = Extract<InstanceClaim, { role: 'wrapper' }>

/**
 * Becomes the wrapper. The order of the steps loses no launch: refusals come before launches of other processes are taken, and
 * launches are taken before there is a window.
 *
 * @throws {ServiceLinkError} when a step fails, or the signal's reason. Earlier steps are taken back and the instance is free again
 */
export async function becomeWrapper(
  claim: WrapperClaim,
  launch: Launch,
  options: BecomeWrapperOptions,
): Promise<RunningWrapper> {
  const owner = new ResourceOwner()
  owner.defer(() => claim.release())
  const { signal } = options
  // The closing error makes other processes offer their launches to the next wrapper.
  const closing = new AbortController()
  const giveUp = () => closing.abort(new ClosingError())
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  try {
    return await run(claim, launch, options, owner, closing)
  } catch (error) {
    await owner[Symbol.asyncDispose]()
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

/** The life of a wrapper, a step a line. */
async function run(
  claim: WrapperClaim,
  launch: Launch,
  options: BecomeWrapperOptions,
  owner: ResourceOwner,
  closing: AbortController,
): Promise<RunningWrapper> {
  const { brand, version, folders, commandTimeoutMs = 30_000, recovery, tray, installedAs } = options
  const { signal } = closing
  let isLost = false
  const { settings, save, report, noteCrash } = await openRecords(options, owner)
  whenAborted(signal, () => noteCrash(options.signal?.reason))
  const appUrl = checkAppUrl(settings.AppUrl)
  const ssoUrl = settings.SsoUrl || appUrl.origin
  const culture = settings.Culture || machineCulture()
  const openExternal = guardedOpener(options, report)
  const engine = options.engine ?? selectEngine(settings.BrowserEngine, { openExternal })
  await waitFor(probeEngine(engine, signal), signal)

  const opened = Promise.withResolvers<HostedWindow>()
  const session = owner.use(new WrapperSession())
  const runner = new CommandRunner({
    opened: opened.promise,
    version,
    onCarriedOut: session.noteCarriedOut.bind(session),
    requestClose: () => setImmediate(() => beginClosing()),
    commandTimeoutMs,
  })
  owner.defer(async () => runner.close())
  whenAborted(signal, () => {
    runner.close()
    session.noteClosing()
  })
  const providers = providersOf(options, settings)
  const launches = new LaunchQueue({ runner, providers, ssoUrl, culture, signal, report })
  await launches.take(launch)
  const server = owner.use(new PipeServer({ brand, runner, culture, version, session }))
  await claim.listen(launches.take.bind(launches), { version, serve: server.serve.bind(server) })
  const isPipeOpen = await bindPipe(server, report)

  const texts = guardedTexts(brand.displayName, options.texts, report)
  const hosted = await openHosted()
  hosted.window.on('closed', beginClosing)
  if (signal.aborted) throw new ClosingError()
  const closed = endWhenClosing()
  session.follow(hosted)
  opened.resolve(hosted)
  report({ type: 'started', version, engine: engine.name, ...(isPipeOpen ? { pipe: server.address } : {}) })

  const { userFolder } = folders
  if (installedAs) owner.use(noteAside({ brand, version, command: installedAs, userFolder }, report))
  const attended = { brand, version, settings, hosted, texts, report, signal }
  const hasOwnEngine = options.engine !== undefined
  owner.use(showTray({ ...attended, tray, hasOwnEngine, folders, close: beginClosing }))
  owner.use(offerUpdate({ ...attended, openExternal }))

  const close = (crash?: CrashError) => {
    noteCrash(crash)
    beginClosing()
    return closed
  }
  return {
    pipeAddress: server.address,
    closed,
    show: () => hosted.window.show(),
    signOut: () => hosted.signOut('integrator'),
    close,
    // Only `closed` reports a lost engine.
    [Symbol.asyncDispose]: () => close().catch(error => rethrowUnlessGivenUp(error)),
  }

  async function openHosted(): Promise<HostedWindow> {
    try {
      const profileFolder = await claim.claimProfile(folders.userFolder)
      const places = { appUrl, ssoUrl, profileFolder }
      const parts = { engine, brand, version, settings, commandTimeoutMs, recovery }
      return owner.use(await openWebApp({ ...parts, ...places, texts, report, save, signal }))
    } catch (error) {
      beginClosing()
      opened.reject(error)
      throw error
    }
  }

  /** Also ends a window that is opening. */
  function beginClosing(closedWindow?: { readonly isLost: boolean }): void {
    if (signal.aborted) return
    isLost = closedWindow?.isLost ?? false
    report({ type: 'closing' })
    closing.abort(new ClosingError())
  }

  function endWhenClosing(): Promise<void> {
    const ended = Promise.withResolvers<void>()
    // Avoids an unhandled rejection if the caller ignores it.
    ended.promise.catch(() => undefined)
    const end = async () => {
      // Later launches find no listener and start the next wrapper when the instance is free.
      await claim.stopListening()
      await owner[Symbol.asyncDispose]()
      if (isLost) throw new EngineError('gone', lostSentence)
    }
    whenAborted(signal, () => void end().then(ended.resolve, ended.reject))
    return ended.promise
  }
}

const lostSentence =
  'The browser of the window ended again and again, or could not be started again. See the log.'

/** Loads the settings and opens the log. */
async function openRecords(
  { brand, folders, version, onNotice }: BecomeWrapperOptions,
  owner: ResourceOwner,
) {
  const reporter = createReporter(onNotice)
  const { report } = reporter
  const { values: settings, events, save } = await loadSettings({ brand, folders, version })
  const folder = join(folders.userFolder, 'logs')
  const log = owner.use(openLog({ folder, level: settings.LogLevel, onFault: report }))
  reporter.writeTo(log.report)
  owner.defer(async () => reporter.tellDropped())
  for (const event of events) report(event)
  let isCrashNoted = false
  /** Writes a crash to the log only. The program reports it to people. */
  const noteCrash = (reason: unknown) => {
    if (!isCrashNoted && reason instanceof CrashError) log.report({ type: 'crashed', kind: reason.kind })
    isCrashNoted ||= reason instanceof CrashError
  }
  return { settings, save, report, noteCrash }
}

function guardedOpener({ openExternal }: BecomeWrapperOptions, report: ReportEvent): OpenExternal {
  const open = openExternal ?? externalOpener()
  return guardOwn('openExternal', open, report, () => undefined)
}

function providersOf({ brand, providers: own, folders }: BecomeWrapperOptions, settings: Settings) {
  const { applicationRoot } = folders
  const setting = settings.ProtocolProvider
  return createProviderTable({ brand, setting, applicationRoot, ...(own ? { own } : {}) })
}

/** Opens the pipe. If another user has taken its address, the wrapper goes on without a pipe: session clients do not need it. */
async function bindPipe(server: PipeServer, report: ReportEvent): Promise<boolean> {
  try {
    await server.bind()
    return true
  } catch (error) {
    if (!(error instanceof PipeTakenError)) throw error
    const { address, owner } = error
    report({ type: 'pipe-taken', pipe: address, ...(owner === undefined ? {} : { owner }) })
    return false
  }
}

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

function rethrowUnlessGivenUp(error: unknown): void {
  if (!(error instanceof EngineError)) throw error
}
