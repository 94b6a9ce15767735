import {
  type Brand,
  defaultBrand,
  type Launch,
  machineCulture,
  parseVersion,
} from '@service-link/protocol-core'
import { CommandRunner } from './command/command-runner.ts'
import { claimInstance, type InstanceClaim } from './instance/claim-instance.ts'
import type { HandOffOutcome } from './instance/hand-off-message.ts'
import { locateInstance } from './instance/instance-place.ts'
import { LaunchQueue } from './launch/launch-queue.ts'
import { openWindow } from './open-window.ts'
import { PipeServer } from './pipe/pipe-server.ts'
import { builtInProviders } from './providers/choose-provider.ts'
import { checkAppUrl } from './settings/app-url.ts'
import { loadSettings } from './settings/load-settings.ts'
import { locateFolders, type WrapperFolders } from './settings/wrapper-folders.ts'
import type { Engine } from './window/engine.ts'
import { probeEngine } from './window/probe-engine.ts'
import { selectEngine } from './window/select-engine.ts'
import { wrapperVersion } from './wrapper-version.ts'

/** What an integrator may choose; every part has a default. */
export interface CreateWrapperOptions {
  /** Names of the executable, its files, its pipe. Default: the specification's, with its neutral word. */
  readonly brand?: Brand
  /** Version of the integrator's executable, four parts, at least 2.1.4.19787. Default: this package's. */
  readonly version?: string
  /** What draws the window. Default: as the setting `BrowserEngine` says. */
  readonly engine?: Engine
  /** Default: as `SERVICE_WRAPPER_ROOT`, `SERVICE_WRAPPER_DATA` and the platform say. */
  readonly folders?: WrapperFolders
  /** Longest wait for the web app to answer one command, in milliseconds. Default 30,000. */
  readonly commandTimeoutMs?: number
  /** Told, in a sentence without personal data, of what went wrong and of what has no effect. Default: nobody. */
  onNotice?(sentence: string): void
}

/** How a start ended: the launch went to the wrapper that runs, or this process is now that wrapper. */
export type WrapperStart =
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }
  | { readonly role: 'wrapper'; readonly wrapper: RunningWrapper }

/** This process's wrapper. */
export interface RunningWrapper extends AsyncDisposable {
  /** Address of its named pipe. */
  readonly pipeAddress: string
  /** Resolves when it has exited: by the pipe command, by the user, by its window's end, or by {@link close}. */
  readonly closed: Promise<void>
  /** Exits: ends window, pipe and instance. What waits fails with `ERR_CLOSING`. */
  close(): Promise<void>
}

/** Options of {@link Wrapper.start}. */
export interface StartOptions {
  readonly signal?: AbortSignal
}

/** A wrapper that can be started. */
export interface Wrapper {
  /**
   * Hands the launch to this user's wrapper that runs, or becomes it. Never exits the process.
   *
   * @throws {ServiceLinkError} when nothing was started and the launch was not taken: the arguments, the settings, the
   *   engine or the instance are at fault, as its code and message say
   */
  start(launch: Launch, options?: StartOptions): Promise<WrapperStart>
}

/**
 * Puts a wrapper together: instance, launches, providers, pipe, bridge and window.
 *
 * @throws {VersionError} when `version` is not four numbers
 * @example
 * ```ts
 * import { randomUUID } from 'node:crypto'
 * import { createWrapper } from '@service-link/wrapper-host'
 *
 * const launch = { id: randomUUID(), argv: process.argv.slice(2), workingDirectory: process.cwd() }
 * const start = await createWrapper().start(launch)
 * if (start.role === 'wrapper') await start.wrapper.closed
 * ```
 */
export function createWrapper(options: CreateWrapperOptions = {}): Wrapper {
  const brand = options.brand ?? defaultBrand
  const version = options.version ?? wrapperVersion
  parseVersion(version)
  return {
    async start(launch, startOptions = {}) {
      const folders = options.folders ?? locateFolders(brand)
      const place = locateInstance({ application: brand.application, userFolder: folders.userFolder })
      const claim = await claimInstance(place, { launch }, startOptions)
      if (claim.role === 'handed-off') return claim
      try {
        return { role: 'wrapper', wrapper: await run(claim, launch, { ...options, brand, version, folders }) }
      } catch (error) {
        await claim.release()
        throw error
      }
    },
  }
}

type WrapperClaim = Extract<InstanceClaim, { role: 'wrapper' }>
type ResolvedOptions = CreateWrapperOptions &
  Required<Pick<CreateWrapperOptions, 'brand' | 'version' | 'folders'>>

async function run(claim: WrapperClaim, launch: Launch, options: ResolvedOptions): Promise<RunningWrapper> {
  const { brand, version, folders, onNotice = () => undefined } = options
  const { values: settings, notices } = await loadSettings({ brand, folders, version })
  for (const { setting, problem } of notices) onNotice(`The setting ${setting} ${problem}.`)
  const appUrl = checkAppUrl(settings.AppUrl)
  const engine = options.engine ?? selectEngine(settings.BrowserEngine)
  await probeEngine(engine)

  await using resources = new AsyncDisposableStack()
  const closed = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Awaited<ReturnType<typeof openWindow>>>()
  const culture = settings.Culture || machineCulture()
  const runner = new CommandRunner({
    opened: opened.promise,
    version,
    requestClose: () => setImmediate(() => void close()),
    ...(options.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: options.commandTimeoutMs }),
  })
  const queue = new LaunchQueue({
    runner,
    providers: builtInProviders(brand),
    defaultProvider: settings.ProtocolProvider,
    culture,
    onFailed: (id, error) => onNotice(`The launch ${id} was not carried out: ${describe(error)}`),
  })

  await queue.take(launch)
  await claim.listen(received => queue.take(received))
  resources.defer(() => claim.release())
  const pipe = resources.use(await PipeServer.listen({ brand, runner, culture }))
  try {
    const shown = await openWindow({ engine, brand, version, settings, appUrl, folders })
    opened.resolve(shown)
    resources.use(shown.window)
    resources.use(shown.bridge)
    shown.window.on('closed', () => void close())
  } catch (error) {
    opened.reject(error)
    throw error
  }

  const owned = resources.move()
  let closing: Promise<void> | undefined
  function close(): Promise<void> {
    closing ??= (async () => {
      runner.close()
      await owned.disposeAsync()
    })().then(closed.resolve, closed.reject)
    return closed.promise
  }
  return { pipeAddress: pipe.address, closed: closed.promise, close, [Symbol.asyncDispose]: close }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason.'
}
