import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import {
  type Brand,
  ClosingError,
  defaultBrand,
  type Person,
  type SettingName,
} from '@service-link/protocol-core'
import type { OwnPage, WindowAppearance, WindowNotice, WindowState } from '@service-link/window-engine'
import type { Provider } from '../launch/provider.ts'
import { writeUserConfig } from '../settings/config-file.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { claimInstance } from '../start/claim-instance.ts'
import { createWrapper } from '../start/create-wrapper.ts'
import type { HandOffOutcome } from '../start/hand-off.ts'
import { locateInstance } from '../start/instance-place.ts'
import type { HostHandlers } from '../web-app/page/messages.ts'
import { ResourceOwner } from '../window/resource-owner.ts'
import { CallLog, type HandlerCall, type NextCallOptions } from './call-log.ts'
import { createMemoryEngine, type PostedForm } from './memory-engine.ts'
import { MemoryPage } from './memory-page.ts'
import { createMemoryWebApp } from './memory-web-app.ts'

/** What a test chooses; every part has a default. */
export interface TestWrapperOptions {
  /** What the web app does for each command. Default: {@link createMemoryWebApp}, without persons. */
  readonly webApp?: HostHandlers
  /** Whether somebody is signed in from the start. Default true. */
  readonly isSignedIn?: boolean
  /** Whether servers answer from the start. Default true. */
  readonly isOnline?: boolean
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Version that it tells. Default: this package's. */
  readonly version?: string
  /** Texts of its configuration file. Default: an `AppUrl` of nobody, and no check for updates. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>
  /** Own providers by type name, as `createWrapper` takes them. Default: none. */
  readonly providers?: Readonly<Record<string, Provider>>
  /** Arguments of the launch that starts it. Default: none. */
  readonly argv?: readonly string[]
  /** Longest wait for the web app to answer one command, in milliseconds. Default 30,000. */
  readonly commandTimeoutMs?: number
  /** Answers a form that is posted in the window with its status; below 400 signs in. Default: 200. */
  readonly answerPost?: (post: PostedForm) => number | Promise<number>
  /** Called before the wrapper starts, to put into its folders what it shall find there, such as own providers. */
  readonly prepare?: (folders: WrapperFolders) => void | Promise<void>
  /** Gives the start up. */
  readonly signal?: AbortSignal
}

/** What a user sees of the window, and does with it. */
export interface TestWindow {
  /** `closed` after the wrapper's end. */
  readonly state: WindowState
  /** The wrapper's own page, while it is shown in place of the web app. */
  readonly ownPage: OwnPage | undefined
  /** The notice above the page. */
  readonly notice: WindowNotice | undefined
  /**
   * Presses a button of the own page.
   *
   * @throws {RangeError} when no button has this action
   */
  pressButton(action: string): void
  /**
   * Follows the notice, or puts it away.
   *
   * @throws {RangeError} when there is none
   */
  pressNotice(action: 'follow' | 'dismiss'): void
  /** Closes the window as its user does: it is minimised while somebody is signed in, else the wrapper exits. */
  closeByUser(): void
  /** Moves the window, or zooms the page. */
  changeAppearance(appearance: WindowAppearance): void
  /** Loads the page again. */
  reload(): void
}

/** A real wrapper with a web app in memory. What is told of it is as of the moment in which it is read. */
export interface TestWrapper extends AsyncDisposable {
  /** The wrapper's process: this one. */
  readonly pid: number
  /** Address of its named pipe, as `net.connect` takes it. */
  readonly pipeAddress: string
  /** The names that it uses. */
  readonly brand: Brand
  /** Its two folders, removed at the end. Clients find it by the second: `connectWrapper({ userFolder })`. */
  readonly folders: WrapperFolders
  /** Every command that reached the web app. */
  readonly calls: readonly HandlerCall[]
  /** Every form that was posted in the window, such as the partner link's. */
  readonly posts: readonly PostedForm[]
  /** What the wrapper said of faults, a sentence each. */
  readonly notices: readonly string[]
  /** What handlers threw beside `HostCallError`; the caller of the wrapper learns nothing of it. */
  readonly pageErrors: readonly unknown[]
  readonly window: TestWindow
  /** Settles when it has exited, for whatever reason; see `RunningWrapper.closed`. */
  readonly closed: Promise<void>
  /**
   * The first command that was not returned here yet, now or when it comes.
   *
   * @throws {NoCallError} when none comes in time
   */
  nextCall(options?: NextCallOptions): Promise<HandlerCall>
  /**
   * Starts the executable once more with these arguments: a real hand-off, through the socket.
   *
   * @throws {ClosingError} when the wrapper has exited
   */
  launch(...argv: readonly string[]): Promise<HandOffOutcome>
  /** Somebody signs in to the web app. */
  signIn(): void
  /** Whoever is signed in signs out in the web app. */
  signOut(): void
  /** A person is put in focus in the web app, by its user. */
  selectInPage(person: Person): void
  /** The page's process ends; the wrapper starts it anew. */
  crashPage(): void
  /** The page answers nothing from now on, until it is restarted. */
  hangPage(): void
  /** The engine's processes are ended from outside; the wrapper opens a new window, with the session that it has kept. */
  loseEngine(): void
  /** No server answers from now on; a page that is there stays until it is loaded again. */
  goOffline(): void
  /** Servers answer again. */
  goOnline(): void
  /** Exits the wrapper and removes its folders. */
  close(): Promise<void>
}

/**
 * Starts a wrapper for a test: all of it is real, hand-off, named pipe, providers and settings, but its web app is in memory and
 * there is no window. Any number may run at once in one process; each has folders and a pipe of its own.
 *
 * @throws {ServiceLinkError} when the settings or the first launch are at fault, as `createWrapper().start` says
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
  const pipe = takePipePrefix(names.pipePrefix)
  owner.defer(async () => pipe[Symbol.dispose]())
  const brand: Brand = Object.freeze({ ...names, pipePrefix: pipe.prefix })
  const folders = await makeFolders(brand, options, owner)
  await options.prepare?.(folders)

  const log = new CallLog()
  const posts: PostedForm[] = []
  const notices: string[] = []
  const pageErrors: unknown[] = []
  const page = new MemoryPage({
    handlers: options.webApp ?? createMemoryWebApp(),
    onCall: (handler, args) => log.add({ handler, args }),
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
  const { argv = [], version, providers, commandTimeoutMs } = options
  const wrapper = createWrapper({
    brand,
    folders,
    engine,
    tray: false,
    ...(version === undefined ? {} : { version }),
    ...(providers ? { providers } : {}),
    ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
    onNotice: sentence => void notices.push(sentence),
  })
  const started = await wrapper.start(newLaunch(argv), signal ? { signal } : {})
  if (started.role !== 'wrapper') throw new Error('A wrapper runs in folders that are new.')
  const running = owner.use(started.wrapper)

  const window = () => {
    if (!engine.window) throw new ClosingError()
    return engine.window
  }
  await window().begun
  const close = () => owner[Symbol.asyncDispose]()
  return {
    pid: process.pid,
    pipeAddress: running.pipeAddress,
    brand,
    folders,
    get calls() {
      return log.calls
    },
    posts,
    notices,
    pageErrors,
    window: {
      get state() {
        return window().state
      },
      get ownPage() {
        return window().ownPage
      },
      get notice() {
        return window().notice
      },
      pressButton: action => window().pressButton(action),
      pressNotice: action => window().pressNotice(action),
      closeByUser: () => window().closeByUser(),
      changeAppearance: appearance => window().changeAppearance(appearance),
      reload: () => window().loadAgain(),
    },
    closed: running.closed,
    nextCall: bounds => log.next(bounds),
    launch: (...more) => handOver(brand, folders, more),
    signIn: () => page.signIn(window().session),
    signOut: () => page.signOut(window().session),
    selectInPage: person => page.select(person),
    crashPage: () => window().crash(),
    hangPage: () => window().hang(),
    loseEngine: () => window().lose(),
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

/** New folders with the configuration; they go, and the instance's lock in them. */
async function makeFolders(
  brand: Brand,
  { settings }: TestWrapperOptions,
  owner: ResourceOwner,
): Promise<WrapperFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'test-wrapper-'))
  owner.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const folders = { applicationRoot: join(folder, 'root'), userFolder: join(folder, 'user') }
  await mkdir(folders.applicationRoot, { mode: 0o700 })
  const texts = { AppUrl: 'https://webapp.invalid/', CheckForUpdates: 'False', ...settings }
  const content = writeUserConfig(`${brand.application}.Properties.Settings`, new Map(Object.entries(texts)))
  await writeFile(join(folders.applicationRoot, brand.configFile), content)
  return folders
}

/** What a second start does, and never more: it does not become the wrapper. */
async function handOver(brand: Brand, { userFolder }: WrapperFolders, argv: readonly string[]) {
  const place = locateInstance({ application: brand.application, userFolder })
  const claim = await claimInstance(place, { launch: newLaunch(argv) })
  if (claim.role === 'handed-off') return claim.outcome
  await claim.release()
  await rm(place.lockFile, { force: true, maxRetries: 5 })
  throw new ClosingError()
}

const taken = new Set<string>()

/** A pipe prefix that no other test wrapper of this process has. */
export interface PipePrefix extends Disposable {
  readonly prefix: string
}

/**
 * Takes a prefix for a pipe. There is one pipe a prefix and process: the first test wrapper of a process has the brand's own, so
 * that a client finds it by the process id alone; others that run at the same time get a number behind it, and those of worker
 * threads their thread's.
 */
export function takePipePrefix(brandPrefix: string): PipePrefix {
  // A prefix has room for 32 characters.
  const base = threadId === 0 ? brandPrefix : `${brandPrefix.slice(0, 22)}_t${threadId}`
  let prefix = base
  for (let number = 2; taken.has(prefix); number++) prefix = `${base.slice(0, 27)}_${number}`
  taken.add(prefix)
  return { prefix, [Symbol.dispose]: () => void taken.delete(prefix) }
}
