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

interface BrowserArgumentsOptions
  extends Pick<OpenWindowOptions, 'profileFolder' | 'placement' | 'isDebug' | 'languages'> {
  readonly executable: string
  readonly isHeadless: boolean
  /** Whether the process is root. Chromium then refuses to start with its sandbox. */
  readonly isPrivileged: boolean
}

/** The arguments of the browser. */
export function browserArguments(options: BrowserArgumentsOptions): string[] {
  const { executable, isHeadless, isPrivileged, profileFolder, placement, isDebug, languages } = options
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
    // If its parent has a compatibility layer, Edge on Windows restarts itself and loses the pipe.
    '--edge-skip-compat-layer-relaunch',
    // The cache would show a page of an ended session again.
    '--disable-features=BackForwardCache',
  ]
  if (isHeadless) flags.push('--headless=new', '--hide-scrollbars', '--mute-audio')
  if (isPrivileged) flags.push('--no-sandbox')
  // An override in each page would miss workers.
  if (languages) flags.push(`--accept-lang=${languages.join(',')}`)
  if (placement) {
    flags.push(`--window-position=${placement.left},${placement.top}`)
    flags.push(`--window-size=${placement.width},${placement.height}`)
  }
  if (isDebug && !isHeadless) flags.push('--auto-open-devtools-for-tabs')
  return [...flags, isWithoutWindows(executable) ? startPage : `--app=${startPage}`]
}

/** Whether a browser is a headless shell, which has no app mode: such as `chromium-headless-shell` and `headless_shell`. */
function isWithoutWindows(executable: string): boolean {
  return /headless[-_]shell(\.exe)?$/i.test(executable)
}

interface StartBrowserOptions {
  readonly executable: string
  readonly args: readonly string[]
  readonly platform: WindowPlatform
  /** Environment variables of the browser. */
  readonly environment: Environment
}

const keptOfStderr = 4096
/** The browser writes this note in English in every language. */
const disallowedNote = 'remote debugging is disallowed by the system admin'
/** Exit code of a headless browser whose profile is in use. One with a window hands over to the other browser and exits with 0. */
const profileInUseExitCode = 21
/** Longest wait for the browser's other processes after its main one has ended, in milliseconds. */
const lastProcessesMs = 2000

/**
 * A browser and the DevTools connection to it, through two pipes that no other process can open. It can be used once it answers.
 * When this process dies, the pipes close and the browser exits.
 */
export class BrowserProcess {
  readonly connection: DevToolsConnection
  /** Resolves when all processes of the browser are gone. Never rejects. */
  readonly ended: Promise<void>
  /** Resolves when the browser says that a policy forbids programs to drive it. It then answers no call. Never rejects. */
  readonly disallowed: Promise<void>
  readonly #child: ChildProcess
  readonly #platform: WindowPlatform
  #stderr = ''
  #exitCode: number | null | undefined

  constructor({ executable, args, platform, environment }: StartBrowserOptions) {
    const cwd = platform.browserFolder(executable)
    const child: ChildProcess = spawn(executable, args, {
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A process group of its own: Ctrl+C must not end the browser first, and the group can be killed as one.
      detached: process.platform !== 'win32',
      env: { ...platform.browserEnvironment(environment) },
    })
    child.on('error', () => undefined)
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

  /** Whether the main process has crashed or was killed. */
  get hasFailed(): boolean {
    return this.#exitCode !== undefined && this.#exitCode !== 0
  }

  /** Kills all processes of the browser. */
  kill(): void {
    if (this.#child.pid !== undefined) this.#platform.killTree(this.#child.pid)
  }

  /** Makes the error for a browser that ended before it could be used. Does not repeat the browser's words. */
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
    // The last process of the group closes stderr.
    this.#platform.endGroup(child.pid)
    const timer = setTimeout(() => child.stderr?.destroy(), lastProcessesMs)
    await allClosed
    clearTimeout(timer)
  }
}

/** Except on Windows, a link in the profile names the process of the browser that uses it. */
function describeUse(profileFolder: string): string {
  let pid: string | undefined
  try {
    pid = /-(\d+)$/.exec(readlinkSync(join(profileFolder, 'SingletonLock')))?.[1]
  } catch {
    // On Windows, or the browser has just ended.
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
 * The window shows clinical data, often at a shared desk. So the browser must not remember typed text, keep passwords or send text
 * away for translation.
 */
const preferences: Readonly<Record<string, unknown>> = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  translate: { enabled: false },
  search: { suggest_enabled: false },
}

/** Base of the browser's zoom levels: it stores the exponent. */
const zoomBase = 1.2

interface ProfileOptions {
  readonly profileFolder: string
  /** Zoom of the pages of {@link origins}; 1 is their own size. Default: as the browser has kept it. */
  readonly zoom?: number | undefined
  readonly origins: readonly string[]
}

/**
 * Makes the browser's profile folder, for this user alone, and sets its preferences. Other preferences stay. Call it while no
 * browser uses the profile: a browser reads its preferences at its start.
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

/** The preferences in the profile. The browser, too, ignores a missing or damaged file. */
async function readPreferences(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}

/** The browser keeps a zoom for each host; `x` is the partition of ordinary pages. */
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
