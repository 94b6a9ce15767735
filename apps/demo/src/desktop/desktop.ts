import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { findOnPath } from '@service-link/window-engine'
import { endProgram } from '../demo/run-program.ts'
import { eventually, within } from '../demo/waits.ts'

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
    /** Whether a window with this title is on the screen. */
    async shows(title: string) {
      return (await ask('search', '--onlyvisible', '--name', literal(title)).catch(() => '')) !== ''
    },
    async isInFront(title: string) {
      return (await ask('getactivewindow', 'getwindowname').catch(() => '')).includes(title)
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

/** A title as a pattern of xdotool. */
const literal = (title: string) => title.replace(/[^\p{L}\d ]/gu, '.')
