import { type ChildProcess, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { OpenWindowOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { startPage } from '../page/own-content.ts'
import type { Environment, WindowPlatform } from '../platform/window-platform.ts'

interface BrowserArgumentsOptions extends Pick<OpenWindowOptions, 'profileFolder' | 'placement' | 'isDebug'> {
  readonly isHeadless: boolean
  /** Whether the process has all rights, with which Chromium refuses to run in its sandbox. */
  readonly isPrivileged: boolean
}

/** The command line of the browser. */
export function browserArguments(options: BrowserArgumentsOptions): string[] {
  const { isHeadless, isPrivileged, profileFolder, placement, isDebug } = options
  const flags = [
    '--remote-debugging-pipe',
    `--user-data-dir=${profileFolder}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-background-mode',
    '--disable-component-update',
    '--disable-sync',
    '--hide-crash-restore-bubble',
    // Edge on Windows starts itself anew where its starter has a compatibility layer, and leaves the pipe behind.
    '--edge-skip-compat-layer-relaunch',
    // It would bring a page of a session that has ended back from memory, with all that it showed.
    '--disable-features=BackForwardCache',
  ]
  if (isHeadless) flags.push('--headless=new', '--hide-scrollbars', '--mute-audio')
  if (isPrivileged) flags.push('--no-sandbox')
  if (placement) {
    flags.push(`--window-position=${placement.left},${placement.top}`)
    flags.push(`--window-size=${placement.width},${placement.height}`)
  }
  if (isDebug && !isHeadless) flags.push('--auto-open-devtools-for-tabs')
  return [...flags, `--app=${startPage}`]
}

interface StartBrowserOptions {
  readonly executable: string
  readonly args: readonly string[]
  readonly platform: WindowPlatform
  /** Variables that the browser gets. */
  readonly environment: Environment
}

const keptOfStderr = 4096
/** A browser's own words, in every language. */
const disallowedNote = 'remote debugging is disallowed by the system admin'
/** With a window, a browser hands over to the one that has the profile, and ends with 0; without, it ends with this. */
const profileInUseExitCode = 21
/** Longest wait for the last of the browser's processes once its main one has ended, in milliseconds. */
const lastProcessesMs = 2000

/**
 * A running browser and the DevTools connection to it, through two pipes that nobody else can open. When this process
 * dies, the pipes close and the browser ends by itself.
 */
export class BrowserProcess {
  readonly connection: DevToolsConnection
  /** Resolves when the main process and those that it started are gone. Never rejects. */
  readonly ended: Promise<void>
  /** Resolves when the browser says that a policy lets nobody drive it: it answers nothing then. Never rejects. */
  readonly disallowed: Promise<void>
  readonly #child: ChildProcess
  readonly #platform: WindowPlatform
  #stderr = ''
  #exitCode: number | null | undefined

  constructor(child: ChildProcess, platform: WindowPlatform) {
    this.#child = child
    this.#platform = platform
    const [, , , toBrowser, fromBrowser] = child.stdio
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
      throw new EngineError('did-not-start', 'The browser could not be given its pipes.')
    this.connection = new DevToolsConnection(fromBrowser, toBrowser)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.disallowed = promise
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptOfStderr)
      if (this.#stderr.includes(disallowedNote)) resolve()
    })
    this.ended = this.#waitForEnd()
  }

  /** Whether the main process has ended otherwise than in good order: it crashed, or was killed. */
  get hasFailed(): boolean {
    return this.#exitCode !== undefined && this.#exitCode !== 0
  }

  /** Ends all of its processes at once. */
  kill(): void {
    if (this.#child.pid !== undefined) this.#platform.killTree(this.#child.pid)
  }

  /** Why the browser ended before it could be used. Repeats nothing of what the browser said. */
  describeEnd(profileFolder: string): EngineError {
    if (this.#exitCode === 0 || this.#exitCode === profileInUseExitCode)
      return new EngineError('profile-in-use', describeUse(profileFolder))
    return new EngineError('did-not-start', describeFailure(this.#stderr, this.#exitCode))
  }

  async #waitForEnd(): Promise<void> {
    const child = this.#child
    const allClosed = new Promise<void>(resolve => child.once('close', () => resolve()))
    this.#exitCode = await new Promise<number | null>(resolve => {
      child.once('exit', resolve)
      child.once('error', () => resolve(null))
    })
    this.connection[Symbol.dispose]()
    if (child.pid === undefined) return
    // What is left of the group holds our end of stderr open; its closing says that the last is gone.
    this.#platform.endGroup(child.pid)
    const timer = setTimeout(() => child.stderr?.destroy(), lastProcessesMs)
    await allClosed
    clearTimeout(timer)
  }
}

/** Starts the browser. That it can be used is known only when it answers. */
export function startBrowser({
  executable,
  args,
  platform,
  environment,
}: StartBrowserOptions): BrowserProcess {
  const cwd = platform.browserFolder(executable)
  const child = spawn(executable, args, {
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: what interrupts this process must not reach the browser first, and the group can be ended as one.
    detached: process.platform !== 'win32',
    env: { ...environment },
  })
  child.on('error', () => undefined)
  return new BrowserProcess(child, platform)
}

/** Elsewhere than on Windows a link in the profile names machine and process of the browser that holds it. */
function describeUse(profileFolder: string): string {
  let pid: string | undefined
  try {
    pid = /-(\d+)$/.exec(readlinkSync(join(profileFolder, 'SingletonLock')))?.[1]
  } catch {
    // As on Windows, or it has just ended.
  }
  return `Another browser uses the profile folder ${profileFolder}${pid === undefined ? '' : ` (process ${pid})`}. Close its windows or end its process, and start again.`
}

const knownFailures: readonly (readonly [RegExp, string])[] = [
  [
    /Missing X server|cannot open display|Failed to connect to Wayland/i,
    'The browser cannot reach a display. Start it in a desktop session, or set BrowserEngine to Headless.',
  ],
  [
    /No usable sandbox|setuid sandbox/i,
    'The browser’s sandbox cannot be used on this system. Allow unprivileged user namespaces for it.',
  ],
  [/cannot open shared object file/i, 'The browser lacks a library of the system. Install it anew.'],
  [
    /(Permission denied|Failed to create|Unable to open).*(SingletonLock|user.data)/is,
    'The browser cannot write to its profile folder.',
  ],
]

function describeFailure(stderr: string, exitCode: number | null | undefined): string {
  const known = knownFailures.find(([pattern]) => pattern.test(stderr))
  if (known) return known[1]
  return exitCode === null || exitCode === undefined
    ? 'The browser could not be started, or was ended by a signal.'
    : `The browser ended at once with exit code ${exitCode}.`
}

/**
 * What the browser must not do on its own account: the window shows clinical data, often at a desk that several people
 * share, so nothing typed is remembered, no password is kept and no text is sent away to be translated.
 */
const preferences: Readonly<Record<string, unknown>> = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  search: { suggest_enabled: false },
}

/** What a zoom is reckoned from: the browser keeps the power of this, and in steps of its own. */
const zoomBase = 1.2

/** What is to be set beside what always is. */
interface ProfileOptions {
  readonly profileFolder: string
  /** Zoom of the pages of {@link origins}; 1 is their own size. As the browser has kept it when absent. */
  readonly zoom?: number
  readonly origins: readonly string[]
}

/**
 * Makes the browser's profile folder, for this user alone, and sets its preferences. To be called while no browser runs on
 * it: the browser reads its preferences when it starts. All others that it keeps there stay.
 */
export async function prepareProfile({ profileFolder, zoom, origins }: ProfileOptions): Promise<void> {
  const folder = join(profileFolder, 'Default')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'Preferences')
  const merged = merge(await readPreferences(file), preferences)
  if (zoom !== undefined) setZoom(merged, zoom, origins)
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify(merged), { mode: 0o600 })
  await rename(temporary, file)
}

/** The browser's own preferences; none where there are none or they cannot be read, as the browser itself has it. */
async function readPreferences(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}

/** The browser keeps a zoom for each host, under `x` for all that is not within an app of its own. */
function setZoom(preferences: Record<string, unknown>, zoom: number, origins: readonly string[]): void {
  const entry = { zoom_level: Math.log(zoom) / Math.log(zoomBase), last_modified: '0' }
  const x = Object.fromEntries(origins.map(origin => [new URL(origin).hostname, entry]))
  Object.assign(preferences, merge(preferences, { partition: { per_host_zoom_levels: { x } } }))
}

function merge(kept: unknown, set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged: Record<string, unknown> = isObject(kept) ? { ...kept } : {}
  for (const [name, value] of Object.entries(set))
    merged[name] = isObject(value) ? merge(merged[name], value) : value
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
