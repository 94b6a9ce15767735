import { dirname, join } from 'node:path'
import { type Brand, ClosingError, type Launch, machineCulture } from '@service-link/protocol-core'
import type { Engine } from '@service-link/window-engine'
import {
  EngineError,
  externalOpener,
  type OpenExternal,
  probeEngine,
  selectEngine,
} from '@service-link/window-engine'
import { CommandRunner } from '../command/command-runner.ts'
import { unlessAborted } from '../command/time-limit.ts'
import type { RecoveryLimits } from '../hosting/recovery-limits.ts'
import { WrapperSession } from '../hosting/wrapper-session.ts'
import { noteAside } from '../install/note-aside.ts'
import type { InstanceClaim } from '../instance/claim-instance.ts'
import type { OwnProviders } from '../launch/provider-table.ts'
import { createProviderTable } from '../launch/provider-table.ts'
import { takeLaunches } from '../launch/take-launches.ts'
import { failureReason } from '../log/failure-reason.ts'
import { openLog } from '../log/log-file.ts'
import { createReporter, guardOwn, type Reporter } from '../log/reporter.ts'
import { type HostedWindow, openWindow } from '../open-window.ts'
import { ensurePipeKey, locatePipeKey } from '../pipe/pipe-key.ts'
import { PipeServer, PipeTakenError } from '../pipe/pipe-server.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { checkAppUrl } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { isSameFolder } from '../settings/wrapper-folders.ts'
import { showTray } from '../tray/show-tray.ts'
import type { Tray } from '../tray/tray.ts'
import { offerUpdate } from '../update/offer-update.ts'
import { ResourceOwner } from '../window/resource-owner.ts'
import { englishTexts, type WrapperTexts } from '../window/texts.ts'
import { CrashError } from './failed-start.ts'

/** This process's wrapper. */
export interface RunningWrapper extends AsyncDisposable {
  /** Address of its named pipe. Where another user has taken it, there is none, and `onNotice` was told. */
  readonly pipeAddress: string
  /**
   * Settles when it has exited: by the pipe command, by the user, by its window's end, or by {@link close}. Rejects with an
   * {@link EngineError} (`gone`) when it has exited because its engine ended too often (by default three times within a minute) or could not be started
   * again, and with an `AggregateError` when something could not be ended; everything else has been ended all the same.
   */
  readonly closed: Promise<void>
  /**
   * Restores the window if it is minimised and brings it to the front.
   *
   * @throws {EngineError} when the engine does not do it
   */
  show(): Promise<void>
  /**
   * Ends the session of whoever is signed in: has the web app sign out at the service, which it is given 5 seconds for, forgets
   * all that it has left, and loads it anew.
   *
   * @throws {EngineError} when the wrapper's window has ended before all was forgotten; the log has `sign-out-failed`
   */
  signOut(): Promise<void>
  /**
   * Exits: ends window, pipe and instance, and settles as {@link closed}. What waits fails with `ERR_CLOSING`.
   *
   * @param crash when given, the log tells that something failed that nobody caught, and its kind
   */
  close(crash?: CrashError): Promise<void>
}

/** What a wrapper is made of. */
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
  /** Gives it up until it has become the wrapper. */
  readonly signal?: AbortSignal
  onNotice?(sentence: string): void
}

/**
 * Becomes the wrapper, step by step in an order that loses nothing: what can be refused is refused before launches of other
 * processes are taken, and launches are taken before there is a window.
 *
 * @throws {ServiceLinkError} when a step fails, or the signal's reason when it aborts; everything that was begun is ended and
 *   the instance is free again
 */
export async function becomeWrapper(
  claim: Extract<InstanceClaim, { role: 'wrapper' }>,
  launch: Launch,
  options: BecomeWrapperOptions,
): Promise<RunningWrapper> {
  const owner = new ResourceOwner()
  owner.defer(() => claim.release())
  const { signal } = options
  // Not with the signal's reason: launches of other processes are refused with it, and go to the next wrapper.
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

async function run(
  claim: Extract<InstanceClaim, { role: 'wrapper' }>,
  launch: Launch,
  options: BecomeWrapperOptions,
  owner: ResourceOwner,
  closing: AbortController,
): Promise<RunningWrapper> {
  const { brand, version, folders, commandTimeoutMs = 30_000, onNotice = () => undefined } = options
  const nothing = () => undefined
  const reporter: Reporter = createReporter(
    guardOwn('onNotice', onNotice, event => reporter.report(event), nothing),
  )
  const { report } = reporter
  const { values: settings, events, save } = await loadSettings({ brand, folders, version })
  const logFolder = join(folders.userFolder, 'logs')
  const log = owner.use(openLog({ folder: logFolder, level: settings.LogLevel, onFault: report }))
  reporter.writeTo(log.report)
  owner.defer(async () => reporter.tellDropped())
  for (const event of events) report(event)
  let isCrashNoted = false
  // Not told to people: whoever caught it does that.
  const noteCrash = (reason: unknown) => {
    if (isCrashNoted || !(reason instanceof CrashError)) return
    isCrashNoted = true
    log.report({ type: 'crashed', kind: reason.kind })
  }
  const noteCrashOfStart = () => noteCrash(options.signal?.reason)
  closing.signal.addEventListener('abort', noteCrashOfStart, { once: true })
  if (closing.signal.aborted) noteCrashOfStart()
  const appUrl = checkAppUrl(settings.AppUrl)
  const openExternal = guardOwn('openExternal', options.openExternal ?? externalOpener(), report, nothing)
  const engine = options.engine ?? selectEngine(settings.BrowserEngine, { openExternal })
  await unlessAborted(probeEngine(engine, closing.signal), closing.signal)

  const culture = settings.Culture || machineCulture()
  const ssoUrl = settings.SsoUrl || appUrl.origin
  const opened = Promise.withResolvers<HostedWindow>()
  const closed = Promise.withResolvers<void>()
  // Whoever does not look at it is not ended by it.
  closed.promise.catch(() => undefined)
  let isGivenUp = false
  const session = owner.use(new WrapperSession())
  const runner = new CommandRunner({
    opened: opened.promise,
    version,
    onCarriedOut: command => session.noteCarriedOut(command),
    requestClose: () => setImmediate(() => beginClosing()),
    commandTimeoutMs,
  })
  owner.defer(async () => runner.close())
  const takeNothingFurther = () => {
    runner.close()
    session.noteClosing()
  }
  closing.signal.addEventListener('abort', takeNothingFurther, { once: true })
  const take = takeLaunches({
    runner,
    providers: createProviderTable({
      brand,
      setting: settings.ProtocolProvider,
      applicationRoot: folders.applicationRoot,
      ...(options.providers ? { own: options.providers } : {}),
    }),
    ssoUrl,
    culture,
    signal: closing.signal,
    report,
  })

  await take(launch)
  const keyFile = locatePipeKey(brand)
  if (isSameFolder(dirname(keyFile), folders.userFolder, process.platform))
    await ensurePipeKey(keyFile).catch(error =>
      report({ type: 'pipe-key-unusable', reason: failureReason(error) }),
    )
  await claim.listen(take)
  // Launches and the window do without it.
  const noteTaken = (error: unknown): PipeTakenError => {
    if (!(error instanceof PipeTakenError)) throw error
    const { address, owner } = error
    report({ type: 'pipe-taken', pipe: address, ...(owner === undefined ? {} : { owner }) })
    return error
  }
  const listening = { brand, runner, culture, version, session, keyFile }
  const pipe = await PipeServer.listen(listening).catch(noteTaken)
  if (pipe instanceof PipeServer) owner.use(pipe)
  const english = englishTexts(brand.displayName)
  const { updateAvailable } = { ...english, ...options.texts }
  const texts = {
    ...english,
    ...options.texts,
    updateAvailable: guardOwn('texts', updateAvailable, report, english.updateAvailable),
  }
  const { signal } = closing
  const hosted = owner.use(await openHosted())
  hosted.window.on('closed', beginClosing)
  signal.addEventListener('abort', () => void end().then(closed.resolve, closed.reject), { once: true })
  if (signal.aborted) throw new ClosingError()
  session.follow(hosted)
  opened.resolve(hosted)
  const named = pipe instanceof PipeServer ? { pipe: pipe.address } : {}
  report({ type: 'started', version, engine: engine.name, ...named })
  if (options.installedAs) {
    const installation = { brand, version, command: options.installedAs, userFolder: folders.userFolder }
    owner.use(noteAside(installation, report))
  }
  const attended = { hosted, texts, report, signal }
  const hasOwnEngine = options.engine !== undefined
  const { tray } = options
  owner.use(showTray({ ...attended, tray, hasOwnEngine, brand, settings, folders, close: beginClosing }))
  const { UpdateUrl: updateUrl, CheckForUpdates } = settings
  if (CheckForUpdates && /^https?:/i.test(updateUrl))
    owner.use(offerUpdate({ ...attended, updateUrl, application: brand.application, version, openExternal }))

  async function openHosted(): Promise<HostedWindow> {
    try {
      const profileFolder = await claim.claimProfile(folders.userFolder)
      const parts = { engine, brand, version, settings, appUrl, ssoUrl, commandTimeoutMs, profileFolder }
      return await openWindow({ ...parts, texts, report, save, signal, recovery: options.recovery })
    } catch (error) {
      beginClosing()
      opened.reject(error)
      throw error
    }
  }

  /** Whoever is told to close while the window still opens gives the opening up. */
  function beginClosing(closedWindow?: { readonly isLost: boolean }): void {
    if (closing.signal.aborted) return
    isGivenUp = closedWindow?.isLost ?? false
    report({ type: 'closing' })
    closing.abort(new ClosingError())
  }

  /** Launches that come from now on find no listener, and begin the next wrapper when this one has let the instance go. */
  async function end(): Promise<void> {
    await claim.stopListening()
    await owner[Symbol.asyncDispose]()
    if (isGivenUp)
      throw new EngineError(
        'gone',
        'The browser of the window ended again and again, or could not be started again. See the log.',
      )
  }

  const close = (crash?: CrashError) => {
    noteCrash(crash)
    beginClosing()
    return closed.promise
  }
  return {
    pipeAddress: pipe.address,
    closed: closed.promise,
    show: () => hosted.window.show(),
    signOut: () => hosted.signOut('integrator'),
    close,
    // That it was given up is told by `closed`; whoever merely leaves its scope has nothing to do about it.
    [Symbol.asyncDispose]: () => close().catch(error => rethrowUnlessGivenUp(error)),
  }
}

function rethrowUnlessGivenUp(error: unknown): void {
  if (!(error instanceof EngineError)) throw error
}
