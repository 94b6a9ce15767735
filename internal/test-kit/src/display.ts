import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isInstalled } from './is-installed.ts'

const programs = ['Xvfb', 'openbox', 'xdotool']
const lookAgainMs = 20
const lookLimitMs = 10_000
const missing = programs.filter(program => !isInstalled(program))

/** Whether a separate display is available; otherwise the tests of real windows are skipped, or fail under `CI=true`. */
export const hasDisplay = missing.length === 0 || process.env.CI === 'true'
if (!hasDisplay && process.env.VITEST)
  console.warn(`Tests of real windows are skipped: not installed are ${missing.join(', ')}.`)

/** Width of the screen in pixels. */
export const screenWidth = 1280

/** A virtual screen with a window manager. */
export interface TestDisplay extends AsyncDisposable {
  readonly environment: NodeJS.ProcessEnv
  /** Runs xdotool on it and returns the output. Retries when a window is missing or closes meanwhile. */
  xdotool(...args: readonly string[]): Promise<string>
  /** Whether a window with this title is on the screen. */
  shows(title: string): Promise<boolean>
  /** Whether the window in front has this title. */
  isInFront(title: string): Promise<boolean>
  /** Brings the window with this title to the front, as soon as it is there. */
  activate(title: string): Promise<void>
}

interface DisplayOptions {
  /** Default 1280x900. */
  readonly size?: string
  /** Whether a window manager runs. Default true. */
  readonly hasManager?: boolean
}

/** Starts a screen and its window manager; resolves when both are ready. */
export async function startDisplay({
  size = `${screenWidth}x900`,
  hasManager = true,
}: DisplayOptions = {}): Promise<TestDisplay> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const environment = { ...process.env, DISPLAY: `:${await firstLine(screen, screen.stdio[3] as Readable)}` }
  const children: ChildProcess[] = [screen]
  if (hasManager) {
    const manager = spawn('openbox', ['--sm-disable', '--startup', 'echo ready'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.unshift(manager)
    await firstLine(manager, manager.stdout)
  }
  const xdotool = (...args: readonly string[]) => runXdotool(args, environment)
  return {
    environment,
    xdotool,
    async shows(title) {
      const pattern = title.replace(/[^\p{L}\d ]/gu, '.')
      return (await xdotool('search', '--onlyvisible', '--name', pattern).catch(() => '')) !== ''
    },
    isInFront: async title =>
      (await xdotool('getactivewindow', 'getwindowname').catch(() => '')).includes(title),
    async activate(title) {
      const ask = () => xdotool('search', '--onlyvisible', '--name', title, 'windowactivate', '--sync')
      for (const until = performance.now() + lookLimitMs; ; await delay(lookAgainMs))
        try {
          return void (await ask())
        } catch (error) {
          if (performance.now() > until) throw error
        }
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill()
        await once(child, 'exit')
      }
    },
  }
}

async function runXdotool(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const until = performance.now() + lookLimitMs
  for (;;) {
    try {
      return (await promisify(execFile)('xdotool', args, { env })).stdout.trim()
    } catch (error) {
      const hasChanged = /X Error .*Bad(?:Window|Match|Drawable)/.test(
        (error as { stderr?: string }).stderr ?? '',
      )
      if (!hasChanged || performance.now() > until) throw error
      await delay(lookAgainMs)
    }
  }
}

async function firstLine(child: ChildProcess, output: Readable): Promise<string> {
  output.setEncoding('utf8')
  let text = ''
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${child.spawnfile} ended at once.`)))
  ended.catch(() => undefined)
  while (!text.includes('\n')) {
    const [chunk] = await Promise.race([once(output, 'data'), ended])
    text += chunk
  }
  return text.slice(0, text.indexOf('\n')).trim()
}
