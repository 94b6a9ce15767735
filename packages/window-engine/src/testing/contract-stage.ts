import { AssertionError } from 'node:assert'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, EngineEvents, EngineWindow, OpenWindowOptions } from '../engine.ts'
import { type ContractSite, idlePath, serveContractSite } from './contract-site.ts'

/** A window of the contract, its events and its profile. */
export interface ContractWindow {
  readonly window: EngineWindow
  readonly events: EventRecord
  readonly profileFolder: string
}

/** Acts on a window from outside; resolves when the action has begun. */
type Provoke = (opened: ContractWindow) => Promise<void> | void

/** Functions of the contract's caller that act on an engine from outside. */
export interface Provocations {
  /** Closes the window as its user does. */
  readonly userClose?: Provoke | undefined
  /** Moves the window, or changes its size, as its user does. */
  readonly userMove?: Provoke | undefined
  /** Ends the page's process. */
  readonly crashPage?: Provoke | undefined
  /** Lets the page's thread hang. With real pages, another case hangs a page by a script. */
  readonly hangPage?: Provoke | undefined
  /** Ends the engine's processes. */
  readonly loseEngine?: Provoke | undefined
  /** Presses the button with this label, in the own page or the notice. */
  readonly press?: ((opened: ContractWindow, label: string) => Promise<void> | void) | undefined
}

/** Options of {@link ContractStage}. */
export interface ContractStageOptions {
  readonly engine: Engine
  readonly provoke: Provocations
  readonly waitMs: number
  /** Whether one window serves each {@link ContractStage.openLoaded}. Default false. */
  readonly isShared?: boolean
}

/** A site on two origins, and windows that show it. All are closed at its end. */
export class ContractStage implements AsyncDisposable {
  readonly engine: Engine
  readonly site: ContractSite
  readonly provoke: Provocations
  /** Bounds of calls that must be answered. */
  readonly bounds: { readonly timeoutMs: number }
  /** Ends windows, profile folders and the site, in reverse order. */
  readonly #ends: (() => PromiseLike<void>)[] = []
  readonly #isShared: boolean
  /** The window that one case after the other uses. */
  #kept: ContractWindow | undefined

  private constructor(
    { engine, provoke, waitMs, isShared = false }: ContractStageOptions,
    site: ContractSite,
  ) {
    this.engine = engine
    this.provoke = provoke
    this.bounds = { timeoutMs: waitMs }
    this.site = site
    this.#isShared = isShared
    this.#ends.push(() => site[Symbol.asyncDispose]())
  }

  static async open(options: ContractStageOptions): Promise<ContractStage> {
    return new ContractStage(options, await serveContractSite(options.waitMs))
  }

  /** Options of a window with a new profile that shows a path of the site's own origin. */
  async windowOptions(path = '/', more: Partial<OpenWindowOptions> = {}): Promise<OpenWindowOptions> {
    const profileFolder = await mkdtemp(join(tmpdir(), 'engine-contract-'))
    this.#ends.push(() => rm(profileFolder, { recursive: true, force: true, maxRetries: 5 }))
    return {
      url: this.site.origin + path,
      profileFolder,
      userAgentSuffix: '',
      pageScript: contractScript,
      allowedOrigins: [this.site.origin],
      ...more,
    }
  }

  /** Opens a window; does not wait for its page. */
  async openWindow(path = '/', more: Partial<OpenWindowOptions> = {}): Promise<ContractWindow> {
    const options = await this.windowOptions(path, more)
    const window = await this.engine.open(options)
    this.#ends.push(() => window.close())
    const { profileFolder } = options
    return { window, profileFolder, events: new EventRecord(window, this.bounds.timeoutMs) }
  }

  /** Opens a window, or takes the shared one, and waits until its page has loaded. */
  async openLoaded(path = '/', more: Partial<OpenWindowOptions> = {}): Promise<ContractWindow> {
    if (this.#kept) return this.#load(this.#kept, path)
    const opened = await this.openWindow(path, more)
    if (this.#isShared) this.#kept = opened
    await opened.events.next('loaded')
    return opened
  }

  /** Loads a path of the site's own origin, or the present page again, and waits for it. */
  async load({ window, events }: Omit<ContractWindow, 'profileFolder'>, path?: string): Promise<void> {
    if (path === undefined) await window.reload()
    else await window.navigate(this.site.origin + path)
    await events.next('loaded', ({ url }) => path === undefined || url === this.site.origin + path)
  }

  /** Makes the shared window ready for the next case. Its events until then are over. */
  async tidyUp(): Promise<void> {
    if (!this.#kept) return
    const { window, events } = this.#kept
    window.setMinimiseOnClose(false)
    await window.setNotice(undefined)
    if ((await window.windowState()) === 'minimised') await window.show()
    await this.load(this.#kept, idlePath)
    events[Symbol.dispose]()
    this.site.forgetRequests()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end()
  }

  async #load({ window, profileFolder }: ContractWindow, path: string): Promise<ContractWindow> {
    const events = new EventRecord(window, this.bounds.timeoutMs)
    const opened = { window, profileFolder, events }
    this.#kept = opened
    await this.load(opened, path)
    // That of the idle page, which the case does not know.
    events.forgetFirst('unloading')
    return opened
  }
}

/** Requirement of a case: the page script alone, real pages, or an action from outside. */
export type ContractNeed = 'script' | 'pages' | keyof Provocations

/** One case of the contract. */
export interface ContractCase {
  readonly name: string
  readonly need: ContractNeed
  readonly isShared: boolean
  run(stage: ContractStage): Promise<void>
}

/** A case with a site and windows of its own. */
export function own(name: string, need: ContractNeed, run: ContractCase['run']): ContractCase {
  return { name, need, isShared: false, run }
}

/** A case in a window that many share. It opens one by `openLoaded()`, and leaves it without data and with a page that answers. */
export function shared(name: string, need: ContractNeed, run: ContractCase['run']): ContractCase {
  return { name, need, isShared: true, run }
}

/** Page script of the contract. The value tells `receive` what to do. */
const contractScript = `send => {
  globalThis.__wrapperHost = {
    receive(value) {
      if (value === 'fail') throw new Error('Ola Nordmann')
      if (value === 'wait') return new Promise(() => { send('waiting') })
      if (value === 'hang') { send('hanging'); for (;;); }
      if (value === 'long') return 'x'.repeat(20_000_000)
      if (value === 'nothing') return undefined
      if (value === 'loop') { const loop = {}; loop.loop = loop; return loop }
      if (typeof value === 'object' && value !== null && 'send' in value) return void send(value.send)
      if (typeof value === 'object' && value !== null && 'run' in value) return (0, eval)(value.run)
      return value
    },
  }
  send('script')
}`

const eventNames = [
  'message',
  'loaded',
  'unloading',
  'loadFailed',
  'pageCrashed',
  'closeVetoed',
  'appearanceChanged',
  'ownPageAction',
  'noticeAction',
  'closed',
] as const satisfies readonly (keyof EngineEvents)[]

/** An event of a window. */
type RecordedEvent = {
  [Name in keyof EngineEvents]: { readonly name: Name; readonly event: EngineEvents[Name] }
}[keyof EngineEvents]

/** Records the events of a window, so that a test can wait for one that has come already. */
export class EventRecord implements Disposable {
  readonly #events: RecordedEvent[] = []
  readonly #found = new Set<RecordedEvent>()
  readonly #looks = new Set<() => void>()
  readonly #waitMs: number
  readonly #stops: readonly (() => void)[]

  /** @param waitMs longest wait of {@link next}, in milliseconds */
  constructor(window: Pick<EngineWindow, 'on'>, waitMs: number) {
    this.#waitMs = waitMs
    this.#stops = eventNames.map(name =>
      window.on(name, event => {
        this.#events.push({ name, event } as RecordedEvent)
        for (const look of this.#looks) look()
      }),
    )
  }

  /** The names of all events so far, in order. */
  get names(): readonly (keyof EngineEvents)[] {
    return this.#events.map(({ name }) => name)
  }

  /** Removes the first event of a name. */
  forgetFirst(name: keyof EngineEvents): void {
    const index = this.names.indexOf(name)
    if (index >= 0) this.#events.splice(index, 1)
  }

  /** Records no further events. */
  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
  }

  /**
   * Returns the first matching event that it has not returned before, or waits for it.
   *
   * @throws {AssertionError} when it does not come
   */
  next<Name extends keyof EngineEvents>(
    name: Name,
    matches: (event: EngineEvents[Name]) => boolean = () => true,
  ): Promise<EngineEvents[Name]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.#events.find(
          recorded =>
            recorded.name === name &&
            !this.#found.has(recorded) &&
            matches(recorded.event as EngineEvents[Name]),
        )
        if (!found) return
        clearTimeout(timer)
        this.#looks.delete(look)
        this.#found.add(found)
        resolve(found.event as EngineEvents[Name])
      }
      const timer = setTimeout(() => {
        this.#looks.delete(look)
        reject(
          new AssertionError({
            message: `No event ${name}; there were: ${this.names.join(', ') || 'none'}.`,
          }),
        )
      }, this.#waitMs)
      this.#looks.add(look)
      look()
    })
  }
}
