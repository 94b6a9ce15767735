import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { threadId } from 'node:worker_threads'
import type { HandOffOutcome } from '@service-link/protocol-core'
import {
  assertParameter,
  type Brand,
  ClosingError,
  defaultBrand,
  defineError,
  type Person,
  writePersonFields,
} from '@service-link/protocol-core'
import { Arrivals, type WaitOptions } from '@service-link/protocol-core/time'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { claimInstance } from '../start/claim-instance.ts'
import { createWrapper } from '../start/create-wrapper.ts'
import { locateInstance } from '../start/instance-place.ts'
import { assertSupportedNode } from '../start/supported-node.ts'
import type { HostHandlers } from '../web-app/page/messages.ts'
import { ResourceOwner } from '../window/resource-owner.ts'
import { createMemoryEngine, type MemoryWindow, type PostedForm } from './memory-engine.ts'
import { type HandlerCall, MemoryPage, type PageEvent } from './memory-page.ts'
import { completePerson, createMemoryWebApp, type MemoryWebApp } from './memory-web-app.ts'
import { makeTestFolders, writeTestConfig } from './test-folders.ts'
import { assertTestOptions, type TestWrapperOptions } from './test-wrapper-options.ts'

/**
 * No command reached the web app in time.
 *
 * @remedy Look whether the command was refused: the test wrapper’s log and the caller’s error say so.
 * @retry no
 * @seenBy partner's developer
 */
export class NoCallError extends defineError('ERR_NO_CALL', (waitedMs: number) => ({
  message: `No command reached the web app within ${waitedMs} ms.`,
  waitedMs,
})) {}

/** The window as a user sees and uses it. */
export type TestWindow = Pick<
  MemoryWindow,
  | 'state'
  | 'ownPage'
  | 'notice'
  | 'pressButton'
  | 'pressNotice'
  | 'closeByUser'
  | 'changeAppearance'
  | 'reload'
>

/** A real wrapper with a web app in memory. Its members show the present state. */
export interface TestWrapper extends AsyncDisposable {
  /** The wrapper's process: this one. */
  readonly pid: number
  /** Address of its named pipe, as `net.connect` takes it; `undefined` if it has none, see `RunningWrapper.pipeAddress`. */
  readonly pipeAddress: string | undefined
  readonly brand: Brand
  /** Its two folders. Clients find it by the user folder: `connectWrapper({ userFolder })`. */
  readonly folders: WrapperFolders
  /** Every call of a handler. */
  readonly calls: readonly HandlerCall[]
  /** Everything that a page's `connectHost` was told, calls among it, and told the wrapper, in order. */
  readonly pageEvents: readonly PageEvent[]
  /** Every form that was posted in the window, such as the partner link's. */
  readonly posts: readonly PostedForm[]
  /** The wrapper's notices of faults, a sentence each. */
  readonly notices: readonly string[]
  /** Errors of handlers that are no `HostCallError`. The wrapper's caller does not see them. */
  readonly pageErrors: readonly unknown[]
  /** The present window. {@link loseEngine} brings another. */
  readonly window: TestWindow
  /** Settles when the wrapper has exited; see `RunningWrapper.closed`. */
  readonly closed: Promise<void>
  /**
   * Returns the first call that it has not returned before, or waits for it.
   *
   * @throws {NoCallError} when none comes in time
   * @throws {ClosingError} at once when the wrapper has exited, or exits meanwhile
   */
  nextCall(options?: WaitOptions): Promise<HandlerCall>
  /**
   * Hands over a second launch with these arguments, through the real socket.
   *
   * @throws {ClosingError} when the wrapper has exited
   */
  launch(...argv: readonly string[]): Promise<HandOffOutcome>
  /**
   * Signs a user in to the web app; while its page is replaced, in the next one.
   *
   * @param user name of the account, as the web app tells it to the wrapper
   * @throws {ClosingError} when the wrapper has exited; as do `signOut`, `selectInPage`, `crashPage`, `hangPage` and `loseEngine`
   */
  signIn(user?: string): void
  /** Signs the user out in the web app. */
  signOut(): void
  /** Puts a person in focus, as a user of the web app does. {@link createMemoryWebApp} adds the rest of a person that it knows. */
  selectInPage(person: Person): void
  /** Ends the page's process. The wrapper starts it anew. */
  crashPage(): void
  /** Lets the page answer nothing until it is restarted. */
  hangPage(): void
  /** Ends the engine's processes. The wrapper opens a new window with the kept session. */
  loseEngine(): void
  /** Lets no server answer. The present page stays until it is loaded again. */
  goOffline(): void
  /** Lets servers answer again. */
  goOnline(): void
  /** Exits the wrapper, and removes its folders unless the option `folders` named them. */
  close(): Promise<void>
}

/**
 * Starts a wrapper for a test. Hand-off, named pipe, providers and settings are real. The web app is in memory, and there is no
 * window. Several can run in one process: each has its own folders and pipe.
 *
 * @throws {ParameterError} when an option is of another type or not known
 * @throws {OptionError} when the `folders` have a configuration file with other `settings`
 * @throws {NodeVersionError} when Node is older than the wrapper needs
 * @throws {ServiceLinkError} as `createWrapper().start`, when the settings or the first launch are at fault
 * @throws {Error} when a wrapper runs in the given folders already
 * @example
 * ```ts
 * import { connectWrapper } from '@service-link/pipe-client'
 * import { startTestWrapper } from '@service-link/wrapper-host/testing'
 *
 * await using wrapper = await startTestWrapper()
 * const client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
 * const reply = await client.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
 * console.log(reply.status) // created
 * ```
 */
export async function startTestWrapper(options: TestWrapperOptions = {}): Promise<TestWrapper> {
  assertSupportedNode()
  assertTestOptions(options)
  const owner = new ResourceOwner()
  try {
    return await start(options, owner)
  } catch (error) {
    await owner[Symbol.asyncDispose]()
    throw error
  }
}

async function start(options: TestWrapperOptions, owner: ResourceOwner): Promise<TestWrapper> {
  const { brand: names = defaultBrand, signal } = options
  const pipe = owner.use(reservePipePrefix(names.pipePrefix))
  const brand: Brand = Object.freeze({ ...names, pipePrefix: pipe.prefix })
  const folders = options.folders ?? (await makeTestFolders(owner))
  await writeTestConfig(folders, brand, options.settings)
  await options.prepare?.(folders)

  const calls = new Arrivals<HandlerCall>()
  const pageEvents: PageEvent[] = []
  const posts: PostedForm[] = []
  const notices: string[] = []
  const pageErrors: unknown[] = []
  const handlers: HostHandlers & Partial<Pick<MemoryWebApp, typeof completePerson>> =
    options.webApp ?? createMemoryWebApp()
  const page = new MemoryPage({
    handlers,
    onEvent(event) {
      pageEvents.push(event)
      if (event.type !== 'call') return
      const { type, ...call } = event
      calls.add(call)
    },
    onError: error => void pageErrors.push(error),
  })
  let isOnline = options.isOnline ?? true
  const engine = createMemoryEngine(
    {
      get isOnline() {
        return isOnline
      },
      load: (port, session) => page.load(port, session),
      async answerPost(post) {
        posts.push(post)
        return (await options.answerPost?.(post)) ?? 200
      },
    },
    { isSignedIn: options.isSignedIn ?? true },
  )
  const { argv = [], version, providers, installedAs, commandTimeoutMs } = options
  const wrapper = createWrapper({
    brand,
    folders,
    engine,
    tray: false,
    version,
    providers,
    installedAs,
    commandTimeoutMs,
    onNotice: sentence => void notices.push(sentence),
  })
  const started = await wrapper.start(newLaunch(argv), { signal })
  if (started.role !== 'wrapper') throw new Error('A wrapper runs in these folders already.')
  const running = owner.use(started.wrapper)

  let hasExited = false
  const exit = () => {
    hasExited = true
    calls.end(new ClosingError('The wrapper has exited.'))
  }
  running.closed.then(exit, exit)
  const window = () => {
    if (!engine.window) throw new ClosingError()
    return engine.window
  }
  /** For actions, which a window that has ended would ignore. */
  const present = () => {
    if (hasExited) throw new ClosingError('The wrapper has exited.')
    return window()
  }
  await window().begun
  const close = () => owner[Symbol.asyncDispose]()
  return {
    pid: process.pid,
    pipeAddress: running.pipeAddress,
    brand,
    folders,
    get calls() {
      return calls.all
    },
    pageEvents,
    posts,
    notices,
    pageErrors,
    get window() {
      return window()
    },
    closed: running.closed,
    nextCall: (bounds = {}) => calls.next(bounds, waitedMs => new NoCallError(waitedMs)),
    launch(...more) {
      for (const [index, argument] of more.entries()) assertParameter(`argv.${index}`, argument, 'text')
      return handOver(brand, folders, more)
    },
    signIn(user) {
      present()
      page.signIn(user)
    },
    signOut() {
      present()
      page.signOut()
    },
    selectInPage(person) {
      // Writes nothing, but checks the fields.
      writePersonFields('person', person, [])
      present()
      page.select(handlers[completePerson]?.(person) ?? person)
    },
    crashPage: () => present().crash(),
    hangPage: () => present().hang(),
    loseEngine: () => present().lose(),
    goOffline() {
      isOnline = false
    },
    goOnline() {
      isOnline = true
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const newLaunch = (argv: readonly string[]) => ({
  id: randomUUID(),
  argv: [...argv],
  workingDirectory: process.cwd(),
})

/** Does what a second start does, but does not become the wrapper. */
async function handOver(brand: Brand, { userFolder }: WrapperFolders, argv: readonly string[]) {
  const place = locateInstance({ application: brand.application, userFolder })
  const claim = await claimInstance(place, { launch: newLaunch(argv) })
  if (claim.role === 'handed-off') return claim.outcome
  await claim.release()
  await rm(place.lockFile, { force: true, maxRetries: 5 })
  throw new ClosingError()
}

const reserved = new Set<string>()

/**
 * Takes a pipe prefix that no other test wrapper of this process has. The first one gets the brand's own, so that a client finds it
 * by the process id. Others get a number behind it; those of a worker thread get the thread's number.
 */
export function reservePipePrefix(brandPrefix: string): Disposable & { readonly prefix: string } {
  // A prefix has room for 32 characters.
  const base = threadId === 0 ? brandPrefix : `${brandPrefix.slice(0, 22)}_t${threadId}`
  let prefix = base
  for (let number = 2; reserved.has(prefix); number++) prefix = `${base.slice(0, 27)}_${number}`
  reserved.add(prefix)
  return { prefix, [Symbol.dispose]: () => void reserved.delete(prefix) }
}
