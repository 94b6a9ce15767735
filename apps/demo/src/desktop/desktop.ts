import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { findOnPath } from '@service-link/window-engine'
import { type Browser, chromium } from 'playwright-core'
import { endProgram, within } from '../demo/run-program.ts'
import { eventually } from './story.ts'

/** Starts the user's browser for the partner's page: in a real window if there is a screen. */
export function openBrowser(executable: string, desktop: Desktop | undefined): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: executable,
    headless: desktop === undefined,
    timeout: 120_000,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: definedOnly({ ...process.env, ...desktop?.environment }),
  })
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/**
 * Writes a start script for the browser that also opens the developer-tools port. The check then reads the wrapper's
 * real page. The wrapper itself opens no port.
 */
export async function makeObservable(
  executable: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<string> {
  // The engine knows a browser without windows by its name.
  const script = join(folder, `observable-${basename(executable)}`)
  await writeFile(
    script,
    `#!/bin/sh\nexec '${executable}' ${['--remote-debugging-port=0', ...flags].join(' ')} "$@"\n`,
  )
  await chmod(script, 0o700)
  return script
}

/** The port of the browser whose profile is in this folder. */
export function observablePort(profileFolder: string): Promise<number> {
  return eventually('The browser’s port', async () => {
    const [profile = ''] = await readdir(profileFolder).catch(() => [])
    const text = await readFile(join(profileFolder, profile, 'DevToolsActivePort'), 'utf8').catch(() => '')
    return Number(text.split('\n')[0]) || undefined
  })
}

/**
 * Puts a program before `xdg-open` in the path that writes addresses to a file instead of opening them. Only on
 * Linux.
 */
export async function makeOpener(folder: string) {
  if (process.platform !== 'linux') return undefined
  const programs = join(folder, 'programs')
  const openedFile = join(folder, 'opened')
  await mkdir(programs)
  const script = join(programs, 'xdg-open')
  await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`)
  await chmod(script, 0o700)
  /** `openedFile` has one address a line. */
  return { environment: { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` }, openedFile }
}

const run = promisify(execFile)
const timeoutMs = 30_000

export type Desktop = NonNullable<Awaited<ReturnType<typeof startDesktop>>>

/** Starts a virtual screen and a window manager; `undefined` without Xvfb, openbox or xdotool. */
export async function startDesktop(size = '1280x800') {
  const xvfb = findOnPath('Xvfb')
  const openbox = findOnPath('openbox')
  const xdotool = findOnPath('xdotool')
  if (!xvfb || !openbox || !xdotool) return undefined

  await using resources = new AsyncDisposableStack()
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  resources.defer(() => endProgram(screen))
  const number = await within('The number of the screen', timeoutMs, readScreenNumber(screen))
  const environment = { DISPLAY: `:${number}` }
  const manager = spawn(openbox, [], { env: { ...process.env, ...environment }, stdio: 'ignore' })
  resources.defer(() => endProgram(manager))
  await once(manager, 'spawn')

  const ask = async (...args: string[]) => {
    const env = { ...process.env, ...environment }
    const { stdout } = await run(xdotool, args, { env, timeout: timeoutMs })
    return stdout.trim()
  }
  await eventually('The window manager', () => ask('get_num_desktops').catch(() => undefined))
  const owned = resources.move()
  return {
    environment,
    async visibleWindows() {
      const ids = await ask('search', '--onlyvisible', '--name', '.').catch(() => '')
      const names = ids
        .split('\n')
        .filter(Boolean)
        .map(id => ask('getwindowname', id).catch(() => ''))
      return (await Promise.all(names)).filter(Boolean)
    },
    async activate(name: string) {
      // xdotool fails if a window closes during its search.
      await eventually(`The window “${name}”`, () =>
        ask('search', '--onlyvisible', '--name', name, 'windowactivate', '--sync').catch(() => undefined),
      )
    },
    async closeActive() {
      // The default key of openbox for closing a window, as its close button does.
      await ask('key', '--clearmodifiers', 'alt+F4')
    },
    async fill(name: string) {
      const window = ['search', '--onlyvisible', '--name', name]
      await ask(...window, 'windowmove', '--sync', '0', '0').catch(() => undefined)
      await ask(...window, 'windowsize', '100%', '100%')
    },
    activeWindow: () => ask('getactivewindow', 'getwindowname').catch(() => ''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Reads the free display number that Xvfb writes to its fourth stream. */
function readScreenNumber(screen: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface(screen.stdio[3] as Readable).once('line', resolve)
  screen.once('error', reject)
  screen.once('exit', code => reject(new Error(`Xvfb ended with ${code} before there was a screen.`)))
  return promise
}

/** Process ids of the browser with this profile folder, including its helpers. */
export async function processesOfSession(profileFolder: string): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024, timeout: 30_000 })
  return stdout
    .split('\n')
    .filter(line => line.includes(profileFolder))
    .map(line => Number.parseInt(line, 10))
    .filter(pid => pid !== process.pid)
}

export async function renderersOf(ancestor: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 30_000,
  })
  const processes = stdout.split('\n').map(line => {
    const [pid, parent] = line.trim().split(/\s+/, 2).map(Number)
    return { pid: pid ?? 0, parent: parent ?? 0, isRenderer: line.includes('--type=renderer') }
  })
  const descendants = new Set([ancestor])
  for (let size = 0; size !== descendants.size; ) {
    size = descendants.size
    for (const { pid, parent } of processes) if (descendants.has(parent)) descendants.add(pid)
  }
  return processes.filter(({ pid, isRenderer }) => isRenderer && descendants.has(pid)).map(({ pid }) => pid)
}
