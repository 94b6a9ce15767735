import {
  type Brand,
  ClosingError,
  isServiceLinkError,
  type Launch,
  machineCulture,
} from '@service-link/protocol-core'
import { CommandRunner, type OpenedWindow } from './command/command-runner.ts'
import { unlessAborted } from './command/time-limit.ts'
import type { InstanceClaim } from './instance/claim-instance.ts'
import { LaunchQueue } from './launch/launch-queue.ts'
import { openWindow } from './open-window.ts'
import { PipeServer } from './pipe/pipe-server.ts'
import type { OwnProviders } from './providers/own/own-providers.ts'
import { createProviderTable } from './providers/provider-table.ts'
import { ResourceOwner } from './resource-owner.ts'
import { checkAppUrl } from './settings/app-url.ts'
import { loadSettings } from './settings/load-settings.ts'
import type { WrapperFolders } from './settings/wrapper-folders.ts'
import type { Engine } from './window/engine.ts'
import { probeEngine } from './window/probe-engine.ts'
import { selectEngine } from './window/select-engine.ts'

/** This process's wrapper. */
export interface RunningWrapper extends AsyncDisposable {
  /** Address of its named pipe. */
  readonly pipeAddress: string
  /**
   * Settles when it has exited: by the pipe command, by the user, by its window's end, or by {@link close}. Rejects with an
   * `AggregateError` when something could not be ended; everything else has been ended all the same.
   */
  readonly closed: Promise<void>
  /** Exits: ends window, pipe and instance, and settles as {@link closed}. What waits fails with `ERR_CLOSING`. */
  close(): Promise<void>
}

/** What a wrapper is made of. */
export interface BecomeWrapperOptions {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly engine?: Engine
  readonly providers?: OwnProviders
  readonly commandTimeoutMs?: number
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
  const { brand, version, folders, onNotice = () => undefined } = options
  const { values: settings, notices } = await loadSettings({ brand, folders, version })
  for (const { setting, problem } of notices) onNotice(`The setting ${setting} ${problem}.`)
  const appUrl = checkAppUrl(settings.AppUrl)
  const engine = options.engine ?? selectEngine(settings.BrowserEngine)
  await unlessAborted(probeEngine(engine, closing.signal), closing.signal)

  const culture = settings.Culture || machineCulture()
  const opened = Promise.withResolvers<OpenedWindow>()
  const closed = Promise.withResolvers<void>()
  const runner = new CommandRunner({
    opened: opened.promise,
    version,
    requestClose: () => setImmediate(beginClosing),
    ...(options.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: options.commandTimeoutMs }),
  })
  owner.defer(async () => runner.close())
  closing.signal.addEventListener('abort', () => runner.close(), { once: true })
  const queue = new LaunchQueue({
    runner,
    providers: createProviderTable({
      brand,
      setting: settings.ProtocolProvider,
      applicationRoot: folders.applicationRoot,
      ...(options.providers ? { own: options.providers } : {}),
    }),
    ssoUrl: settings.SsoUrl || appUrl.origin,
    culture,
    signal: closing.signal,
    onFailed: (id, error) => onNotice(`The launch ${id} was not carried out: ${describe(error)}`),
    onLeftover: (id, error) =>
      onNotice(`The launch ${id} was carried out; clearing up after it failed: ${describe(error)}`),
  })

  await queue.take(launch)
  await claim.listen((received, answered) => queue.take(received, answered))
  const pipe = owner.use(await PipeServer.listen({ brand, runner, culture }))
  try {
    const { signal } = closing
    const shown = await openWindow({ engine, brand, version, settings, appUrl, folders, signal, onNotice })
    owner.use(shown.window)
    owner.use(shown.bridge)
    opened.resolve(shown)
    shown.window.on('closed', beginClosing)
  } catch (error) {
    beginClosing()
    opened.reject(error)
    throw error
  }
  closing.signal.addEventListener('abort', () => end().then(closed.resolve, closed.reject), { once: true })
  if (closing.signal.aborted) throw new ClosingError()

  /** Whoever is told to close while the window still opens gives the opening up. */
  function beginClosing(): void {
    closing.abort(new ClosingError())
  }

  /** Launches that come from now on find no listener, and begin the next wrapper when this one has let the instance go. */
  async function end(): Promise<void> {
    await claim.stopListening()
    await owner[Symbol.asyncDispose]()
  }

  const close = () => {
    beginClosing()
    return closed.promise
  }
  return { pipeAddress: pipe.address, closed: closed.promise, close, [Symbol.asyncDispose]: close }
}

/** Only our own errors promise to hold no personal data. */
function describe(error: unknown): string {
  return isServiceLinkError(error) ? `${error.message} (${error.code})` : 'for an unexpected reason.'
}
