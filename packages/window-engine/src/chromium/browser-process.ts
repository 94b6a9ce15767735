import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { OpenWindowOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import type { PolicySign } from '../platform/policies.ts'
import type { Environment, WindowPlatform } from '../platform/window-platform.ts'
import { removeProfile } from './browser-profile.ts'

interface BrowserArgumentsOptions
  extends Pick<OpenWindowOptions, 'placement' | 'isKiosk' | 'isDebug' | 'languages' | 'identity'> {
  readonly executable: string
  /** First address, as {@link startAddress} makes it. */
  readonly start: string
  /** Folder of the profile. */
  readonly profile: string
  readonly isHeadless: boolean
  /** Whether the process is root. Chromium then refuses to start with its sandbox. */
  readonly isPrivileged: boolean
}

/**
 * Address with which the browser starts: the web app's host at a port that browsers refuse before they ask the network. The start page
 * takes its place before it fails. With `about:blank` the browser would open no app window. It names the window on X11 by the host.
 */
export function startAddress(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}:${refusedPort}/`
}

const refusedPort = 1

const disabledFeatures = [
  // It would show a page of an ended session again.
  'BackForwardCache',
  // These ask servers of the browser's maker.
  'AutofillServerCommunication',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
]

/** The arguments of the browser. */
export function browserArguments(options: BrowserArgumentsOptions): string[] {
  const { executable, isHeadless, isPrivileged, profile, placement, isDebug, languages } = options
  const { start, identity, isKiosk } = options
  const flags = [
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    // By default the cache of a profile in the user's folder for settings lies elsewhere, and would stay.
    `--disk-cache-dir=${join(profile, 'Cache')}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-background-mode',
    '--disable-component-update',
    // The flag before leaves those that a feature asks for.
    `--component-updater=url-source=https://127.0.0.1:${refusedPort}/`,
    '--disable-sync',
    '--hide-crash-restore-bubble',
    // If its parent has a compatibility layer, Edge on Windows restarts itself and loses the pipe.
    '--edge-skip-compat-layer-relaunch',
    '--disable-domain-reliability',
    `--disable-features=${disabledFeatures.join(',')}`,
  ]
  if (isHeadless) flags.push('--headless=new', '--hide-scrollbars', '--mute-audio')
  if (isPrivileged) flags.push('--no-sandbox')
  if (identity) flags.push(`--class=${identity.id}`)
  // An override in each page would miss workers.
  if (languages) flags.push(`--accept-lang=${languages.join(',')}`)
  if (placement && !isKiosk) {
    flags.push(`--window-position=${placement.left},${placement.top}`)
    flags.push(`--window-size=${placement.width},${placement.height}`)
  }
  if (isKiosk && !isHeadless) flags.push('--kiosk')
  if (isDebug && !isHeadless) flags.push('--auto-open-devtools-for-tabs')
  return [...flags, isWithoutWindows(executable) ? start : `--app=${start}`]
}

/** Whether a browser is a headless shell, which has no app mode and obeys no policy: such as `chromium-headless-shell` and `headless_shell`. */
export function isWithoutWindows(executable: string): boolean {
  return /headless[-_]shell(\.exe)?$/i.test(executable)
}

interface StartBrowserOptions {
  readonly executable: string
  /** Folder of its profile. It is removed when the browser has ended. */
  readonly profile: string
  readonly args: readonly string[]
  readonly platform: WindowPlatform
  /** Environment variables of the browser. */
  readonly environment: Environment
}

const keptOfStderr = 4096
/** The browser writes these notes in English in every language. */
const policyNotes: readonly (readonly [string, PolicySign])[] = [
  ['remote debugging is disallowed by the system admin', 'no-driving'],
  ['remote debugging requires a non-default data directory', 'other-profile'],
  ['Headless mode is disallowed by the system admin', 'no-headless'],
]
/** Longest wait for the browser's other processes after its main one has ended, in milliseconds. */
const lastProcessesMs = 2000

/**
 * A browser and the DevTools connection to it, through two pipes that no other process can open. It can be used once it answers.
 * When this process dies, the pipes close and the browser exits.
 */
export class BrowserProcess {
  readonly connection: DevToolsConnection
  /** Resolves when all processes of the browser are gone, and its profile is removed. Never rejects. */
  readonly ended: Promise<void>
  /** Resolves when the browser says that a policy keeps it from being driven. It then answers no call. Never rejects. */
  readonly disallowed: Promise<PolicySign>
  readonly #child: ChildProcess
  readonly #platform: WindowPlatform
  #stderr = ''
  #exit: BrowserExit | undefined
  #leftBehind: string | undefined

  constructor({ executable, profile, args, platform, environment }: StartBrowserOptions) {
    const cwd = platform.browserFolder(executable)
    const child: ChildProcess = spawn(executable, args, {
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A process group of its own: Ctrl+C must not end the browser first, and the group can be killed as one.
      detached: process.platform !== 'win32',
      // By default crash dumps, which hold texts of the page, lie beside the user’s own profiles on Linux and macOS.
      env: { ...platform.browserEnvironment(environment), BREAKPAD_DUMP_LOCATION: join(profile, 'Crashes') },
    })
    child.on('error', () => undefined)
    this.#child = child
    this.#platform = platform
    const [, , , toBrowser, fromBrowser] = child.stdio
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
      throw new EngineError('did-not-start', 'The browser could not be given its pipes.')
    this.connection = new DevToolsConnection(fromBrowser, toBrowser)
    const { promise, resolve } = Promise.withResolvers<PolicySign>()
    this.disallowed = promise
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptOfStderr)
      if (this.policySign !== undefined) resolve(this.policySign)
    })
    this.ended = this.#waitForEnd(profile)
  }

  /** Id of the main process, which owns the window; `undefined` if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether the main process has crashed or was killed. */
  get hasFailed(): boolean {
    return this.#exit !== undefined && this.#exit !== 0
  }

  /** How a policy shows in what the browser has said so far. */
  get policySign(): PolicySign | undefined {
    return policyNotes.find(([note]) => this.#stderr.includes(note))?.[1]
  }

  /** Why something of the profile is still there, although the browser has ended. */
  get leftBehind(): string | undefined {
    return this.#leftBehind
  }

  /** Kills all processes of the browser. */
  kill(): void {
    if (this.#child.pid !== undefined) this.#platform.killTree(this.#child.pid)
  }

  /** Makes the error for a browser that ended before it could be used. */
  describeEnd(): EngineError {
    return new EngineError('did-not-start', explain(this.#stderr, describeExit(this.#exit)))
  }

  /** Makes the error for a browser that took too long to be used. */
  describeDelay(sentence: string): EngineError {
    return new EngineError('timeout', explain(this.#stderr, sentence))
  }

  async #waitForEnd(profile: string): Promise<void> {
    const child = this.#child
    const allClosed = new Promise<void>(resolve => child.once('close', () => resolve()))
    this.#exit = await new Promise<BrowserExit>(resolve => {
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
      child.once('error', error => resolve('code' in error ? String(error.code) : 'unknown'))
    })
    this.connection[Symbol.dispose]()
    if (child.pid !== undefined) {
      // The last process of the group closes stderr.
      this.#platform.endGroup(child.pid)
      const timer = setTimeout(() => child.stderr?.destroy(), lastProcessesMs)
      await allClosed
      clearTimeout(timer)
    }
    this.#leftBehind = await removeProfile(profile)
  }
}

/** Exit code, name of the signal that ended it, or the system's code for a program that cannot be started. */
type BrowserExit = number | string

function describeExit(exit: BrowserExit = 'unknown'): string {
  if (typeof exit === 'number') return `The browser ended at once with exit code ${exit}.`
  return exit.startsWith('SIG')
    ? `The browser was ended at once by the signal ${exit}.`
    : `The browser could not be started (${exit}).`
}

const knownFailures: readonly (readonly [RegExp, string])[] = [
  [
    /Missing X server|cannot open display|Failed to connect to Wayland/i,
    'The browser cannot reach a display. Start it on a desktop, or set BrowserEngine to Headless.',
  ],
  [
    /No usable sandbox|setuid sandbox/i,
    'The browser’s sandbox cannot be used on this system. Allow unprivileged user namespaces for it.',
  ],
  [/cannot open shared object file/i, 'The browser lacks a library of the system. Install it anew.'],
  [/No space left on device|disk is full/i, 'The disk of the browser’s profile is full. Free space on it.'],
  [
    /(Permission denied|Failed to create|Unable to open|cannot create).*(Singleton|user.data|profile)/i,
    'The browser cannot write to its profile folder.',
  ],
]

/** The sentence for known words of the browser, else a given one with the browser's last words. */
function explain(stderr: string, sentence: string): string {
  const known = knownFailures.find(([pattern]) => pattern.test(stderr))
  if (known) return known[1]
  const words = lastWords(stderr)
  return words === '' ? sentence : `${sentence} Its last words: ${words}`
}

const quotedLines = 3
const quotedCharacters = 400

/**
 * The browser's last lines. They are from before its first page of the web app, so they tell nothing of a session. Addresses are
 * left out all the same: a proxy's or a policy's may hold a password.
 */
function lastWords(stderr: string): string {
  const lines = stderr
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:data|blob|about):\S*/gi, '[address]')
    // The head of a line: process, thread, time, level and place in the browser's source.
    .replaceAll(/^\[[\d:/.]+:(?:[A-Z]+\d*):[^\]]*\] ?/gm, '')
    .replaceAll(/[^\P{C}\n]/gu, '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
  return lines.slice(-quotedLines).join(' / ').slice(-quotedCharacters)
}
