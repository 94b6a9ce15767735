import { join } from 'node:path'
import { type ArgsIssue, ClosingError, type Launch } from '@service-link/protocol-core'
import { waitFor } from '@service-link/protocol-core/time'
import { EngineError, externalOpener, type ForbiddenBrowser, probeEngine } from '@service-link/window-engine'
import { type CloseRequest, CommandRunner } from '../command/command-runner.ts'
import { LaunchQueue } from '../launch/launch-queue.ts'
import { createProviderTable } from '../launch/provider-table.ts'
import { failureReason } from '../log/failure-reason.ts'
import { createReporter, guardOwn, openLog } from '../log/log.ts'
import { PipeServer, PipeTakenError, PipeUnboundError } from '../pipe/pipe-server.ts'
import { removeDeadPipes } from '../pipe/remove-dead-pipes.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { checkAppUrl, dateCultureOf } from '../settings/resolve-settings.ts'
import { listWithheld } from '../settings/withheld-variables.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { loadTexts } from '../texts/load-texts.ts'
import type { LoadedTexts } from '../texts/wrapper-texts.ts'
import { showTray } from '../tray/show-tray.ts'
import { offerUpdate } from '../update/offer-update.ts'
import { waitForWork } from '../update/wait-for-work.ts'
import { type HostedWindow, openWebApp } from '../web-app/open-web-app.ts'
import { StatusKeeper } from '../web-app/status-keeper.ts'
import { selectWindowEngine } from '../window/own-browser.ts'
import { ResourceOwner } from '../window/resource-owner.ts'
import { type BrowserFolder, claimBrowserFolder } from './browser-folder.ts'
import type { InstanceClaim } from './claim-instance.ts'
import { CrashError, failStart } from './failed-start.ts'
import { noteAside } from './note-installation.ts'
import type { StartOptions, WrapperOptions } from './wrapper-options.ts'

/** This process's wrapper. */
export interface RunningWrapper extends AsyncDisposable {
  /** Address of the named pipe. `undefined` if it is taken or cannot be bound: there is no pipe, and `onNotice` got a sentence. */
  readonly pipeAddress: string | undefined
  /**
   * Settles when the wrapper has exited: by the pipe command, by the user, by the end of its window, or by {@link close}. Rejects
   * with an {@link EngineError} (`gone`) if the engine ended too often (by default three times within a minute) or could not start
   * again. Rejects with an `AggregateError` if a part could not be ended; all others have ended.
   */
  readonly closed: Promise<void>
  /**
   * Restores the window if it is minimized, and brings it to the front.
   *
   * @throws {EngineError} when the engine fails
   */
  show(): Promise<void>
  /**
   * Ends the session of the signed-in user. The web app has 5 seconds to sign out at the service. Then its data is removed and it is
   * loaded again.
   *
   * @throws {EngineError} when the window ends before the data is removed, or no new one opens
   */
  signOut(): Promise<void>
  /**
   * Ends window, pipe and instance, and settles like {@link closed}. Waiting commands fail with `ERR_CLOSING`.
   *
   * @param crash uncaught error whose kind goes to the log
   */
  close(crash?: CrashError): Promise<void>
}

interface BecomeWrapperOptions extends WrapperOptions, StartOptions {
  readonly folders: WrapperFolders
}

type WrapperClaim = Extract<InstanceClaim, { role: 'wrapper' }>

/**
 * Becomes the wrapper. The order of the steps loses no launch: refusals come before launches of other processes are taken, and
 * launches are taken before there is a window. First of all goes what a killed wrapper has left of a session. A failed step takes back
 * the earlier ones.
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
    return await run({ claim, launch, options, owner, closing, signal: closing.signal })
  } catch (error) {
    // The true reason comes first in the log: waiting launches fail because of it.
    const failure = signal?.aborted ? error : await failStart(error, options)
    giveUp()
    await owner[Symbol.asyncDispose]()
    signal?.throwIfAborted()
    throw failure
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

interface Start {
  readonly claim: WrapperClaim
  readonly launch: Launch
  readonly options: BecomeWrapperOptions
  /** Ends all parts, the last one first. */
  readonly owner: ResourceOwner
  readonly closing: AbortController
  /** Aborts when the wrapper begins to close. */
  readonly signal: AbortSignal
}

/** The life of a wrapper, in the order of its steps. */
async function run(start: Start): Promise<RunningWrapper> {
  const { launch, options, owner, signal } = start
  const { brand, folders, version, commandTimeoutMs, installedAs } = options
  const browser = owner.use(await claimBrowserFolder(folders.userFolder))
  const records = await openRecords(start, browser)
  const { settings, report, appUrl } = records
  const ssoUrl = settings.SsoUrl || appUrl.origin
  const open = options.openExternal ?? externalOpener()
  const noteForbidden = ({ browser, policies }: ForbiddenBrowser) =>
    report({ type: 'browser-forbidden', browser, policies })
  const openExternal = guardOwn('openExternal', open, report, () => undefined)
  const engine = options.engine ?? selectWindowEngine(settings, { openExternal, onForbidden: noteForbidden })
  await waitFor(probeEngine(engine, signal), signal)
  const { language, texts: own } = options
  const texts = await loadTexts({ displayName: brand.displayName, language, culture: settings.Culture, own })
  const ending = prepareEnding(start, records, texts)
  const work = prepareWork(start, records, ssoUrl, ending)
  const { notice } = await work.launches.take(launch)
  if (notice !== undefined) records.notify(notice)
  const pipe = await listen(start, records, work)

  const hosting = { brand, version, commandTimeoutMs, installedAs, profileFolder: browser.folder, signal }
  const { startParameters: launchParameters } = work.launches
  const hosted = await openWebApp({ ...records, ...hosting, engine, ssoUrl, texts, launchParameters }, owner)
  const closed = ending.follow(hosted)
  followBrowser(start.claim, hosted)
  work.begin(hosted)
  report({ type: 'started', version, engine: engine.name, ...(pipe === undefined ? {} : { pipe }) })
  // None of these delays or ends the wrapper.
  const installation = { brand, version, userFolder: folders.userFolder }
  const noted = installedAs && noteAside({ ...installation, command: installedAs }, report)
  owner.defer(async () => noted)
  const swept = removeDeadPipes(brand)
  owner.defer(() => swept)
  const parts = { ...records, hosted, texts, brand, version, signal, openExternal, close: ending.begin }
  const hasOwnEngine = options.engine !== undefined
  const tray = owner.use(showTray({ ...parts, tray: options.tray, hasOwnEngine, folders }))
  const offered = offerUpdate({ ...parts, tray })
  owner.defer(() => offered)

  const close = (crash?: CrashError) => {
    records.noteCrash(crash)
    ending.begin()
    return closed
  }
  return {
    pipeAddress: pipe,
    closed,
    show: () => hosted.window.show(),
    signOut: () => hosted.signOut('integrator'),
    close,
    // Only `closed` reports a lost engine.
    async [Symbol.asyncDispose]() {
      await close().catch(error => {
        if (!(error instanceof EngineError)) throw error
      })
    },
  }
}

type Records = Awaited<ReturnType<typeof openRecords>>

async function openRecords({ options, owner, signal }: Start, browser: BrowserFolder) {
  const { brand, folders, version } = options
  const { values: settings, file, events, save } = await loadSettings({ brand, folders, version })
  const folder = join(folders.userFolder, 'logs')
  const log = owner.use(openLog({ folder, level: settings.LogLevel, onFault: event => report(event) }))
  const report = createReporter(log.report, options.onNotice)
  for (const event of events) report(event)
  const reportLeft = (reason: string | undefined) =>
    reason !== undefined && report({ type: 'sign-out-failed', reason })
  reportLeft(browser.left)
  owner.defer(async () => void reportLeft(await browser.remove()))
  const withheld = listWithheld()
  if (withheld.length > 0) report({ type: 'variables-ignored', names: withheld.join(', ') })
  let isCrashNoted = false
  /** Writes a crash to the log only. The program reports it to people. */
  const noteCrash = (reason: unknown) => {
    if (!isCrashNoted && reason instanceof CrashError) log.report({ type: 'crashed', kind: reason.kind })
    isCrashNoted ||= reason instanceof CrashError
  }
  whenAborted(signal, () => noteCrash(options.signal?.reason))
  const notify = guardOwn('onNotice', options.onNotice ?? (() => undefined), report, () => undefined)
  const appUrl = checkAppUrl(settings.AppUrl, file)
  return { settings, appUrl, save, report, notify, noteCrash, log }
}

type Ending = ReturnType<typeof prepareEnding>

function prepareEnding({ claim, owner, closing, signal }: Start, { report }: Records, texts: LoadedTexts) {
  let isWaiting = false
  let isLost = false
  let signsOut = false
  const end = async (hosted: HostedWindow) => {
    // Later launches find no listener and start the next wrapper when the instance is free.
    await claim.stopListening()
    if (signsOut) await hosted.signOutAtLast()
    await owner[Symbol.asyncDispose]()
    if (isLost) throw new EngineError('gone', lostSentence)
  }
  return {
    /** Begins to close the wrapper, also while its window opens. */
    begin(cause: { readonly isLost?: boolean; readonly signsOut?: boolean } = {}): void {
      if (signal.aborted) return
      isLost = cause.isLost ?? false
      signsOut = cause.signsOut ?? false
      report({ type: 'closing' })
      closing.abort(new ClosingError())
    },
    /** Begins to close for a new version once nothing is unsaved. */
    async beginForUpdate(hosted: HostedWindow, cause: { readonly signsOut: boolean }): Promise<void> {
      if (isWaiting) return
      isWaiting = true
      await waitForWork({ hosted, texts, signal })
      this.begin(cause)
    },
    /** Closes with the window. The promise settles when all parts have ended. */
    follow(hosted: HostedWindow): Promise<void> {
      hosted.window.on('closed', this.begin)
      if (signal.aborted) throw new ClosingError()
      const ended = Promise.withResolvers<void>()
      // Avoids an unhandled rejection if the caller ignores it.
      ended.promise.catch(() => undefined)
      whenAborted(signal, () => void end(hosted).then(ended.resolve, ended.reject))
      return ended.promise
    },
  }
}

type Work = ReturnType<typeof prepareWork>

/** Prepares commands and launches, which wait for the window. */
function prepareWork({ options, owner, signal }: Start, records: Records, ssoUrl: string, ending: Ending) {
  const { brand, version, folders, providers: own = {}, commandTimeoutMs } = options
  const { settings, report, log } = records
  const culture = dateCultureOf(settings)
  const opened = Promise.withResolvers<HostedWindow>()
  let window: HostedWindow['window'] | undefined
  const requestClose = ({ isForUpdate, ...how }: CloseRequest) => {
    if (isForUpdate) void opened.promise.then(hosted => ending.beginForUpdate(hosted, how))
    else setImmediate(() => ending.begin(how))
  }
  const statusKeeper = owner.use(new StatusKeeper())
  const runner = new CommandRunner({
    opened: opened.promise,
    version,
    onCarriedOut: statusKeeper.noteCarriedOut.bind(statusKeeper),
    requestClose,
    writeDebugLog: log.writeAll,
    commandTimeoutMs,
  })
  owner.defer(async () => runner.close())
  whenAborted(signal, () => {
    runner.close()
    statusKeeper.noteClosing()
  })
  const { applicationRoot } = folders
  const setting = settings.ProtocolProvider
  const providers = createProviderTable({ brand, setting, applicationRoot, log, own })
  return {
    runner,
    statusKeeper,
    culture,
    browserPid: () => window?.browserPid,
    launches: new LaunchQueue({ runner, providers, ssoUrl, culture, signal, report, log }),
    begin(hosted: HostedWindow) {
      window = hosted.window
      statusKeeper.follow(hosted)
      opened.resolve(hosted)
    },
  }
}

/**
 * Takes launches and clients. If the pipe's address is in use or cannot be bound, there is no pipe: clients in session mode do not need
 * it.
 */
async function listen(
  { claim, options, owner }: Start,
  { report, log }: Records,
  { runner, statusKeeper, culture, launches, browserPid }: Work,
): Promise<string | undefined> {
  const { brand, version } = options
  const onDropped = ({ path: field, problem }: ArgsIssue) =>
    report({ type: 'field-dropped', source: 'pipe', field, problem })
  const onNoted = ({ path: field, problem }: ArgsIssue) =>
    report({ type: 'field-noted', source: 'pipe', field, problem })
  const onUnaccepted = (error: unknown) => report({ type: 'connection-failed', reason: failureReason(error) })
  const told = { onDropped, onNoted, onUnaccepted }
  const shared = { brand, runner, culture, version, statusKeeper, log, browserPid }
  const server = owner.use(new PipeServer({ ...shared, ...told }))
  const serve = server.serve.bind(server)
  await claim.listen(launches.take.bind(launches), { version, serve, onUnaccepted })
  try {
    await server.bind()
    return server.address
  } catch (error) {
    if (error instanceof PipeUnboundError) report({ type: 'pipe-absent', reason: error.reason })
    else if (error instanceof PipeTakenError) {
      const { address: pipe, owner } = error
      report({ type: 'pipe-taken', pipe, ...(owner === undefined ? {} : { owner }) })
    } else throw error
    return undefined
  }
}

/** Keeps the browser's process in the record: another one may take its place. */
function followBrowser(claim: WrapperClaim, { window }: HostedWindow): void {
  const note = () => claim.noteBrowser(window.browserPid)
  note()
  window.on('loaded', note)
}

const lostSentence =
  'The browser of the window ended again and again, or could not be started again. See the log.'

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
