import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { hasDisplay, startDisplay, type TestDisplay } from '@service-link/test-kit/display'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, vi } from 'vitest'
import { findDesktopProblem } from '../../src/tray/find-program.ts'
import { ResourceOwner } from '../../src/window/resource-owner.ts'

const missing = ['trayer', 'dbus-daemon'].filter(program => !isInstalled(program))
const problem = await findDesktopProblem({ DISPLAY: ':0', DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=x' })
if (problem) missing.push('libayatana-appindicator3')
if (process.arch !== 'x64') missing.push('a program for this processor')

/** Whether this machine can show icons on a virtual screen. If not, their tests are skipped, and fail under `CI=true`. */
export const hasTrayDisplay = hasDisplay && (missing.length === 0 || process.env.CI === 'true')
if (!hasTrayDisplay)
  console.warn(`Tests of the icon in the notification area are skipped: not installed are ${missing}.`)

/** Search terms for the window of the icon, and for that of its open menu. */
const iconWindow = ['--class', '^systray$']
const menuWindow = ['--class', '^tray_linux_release$']

const patience = { timeout: 60_000 }

/** Longest wait for an action on a busy machine before the next attempt, in milliseconds. */
const attemptMs = 3000

/** A session bus that starts no services. */
const busConfiguration = `<busconfig>
  <type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

/** Starts a screen, a session bus and a panel with a notification area. */
export async function startTrayDisplay() {
  const owner = new ResourceOwner()
  try {
    const folder = owner.use(await temporaryFolder())
    const display = owner.use(await startDisplay())
    const configuration = join(folder.path, 'bus.conf')
    await writeFile(configuration, busConfiguration)
    const bus = start(owner, 'dbus-daemon', [
      '--nofork',
      '--print-address=3',
      `--config-file=${configuration}`,
    ])
    const address = await firstLine(bus)
    const environment = {
      ...display.environment,
      DBUS_SESSION_BUS_ADDRESS: address,
      NO_AT_BRIDGE: '1',
      TMPDIR: folder.path,
    }
    const panel = ['--edge', 'top', '--align', 'left', '--widthtype', 'request', '--height', '32']
    start(owner, 'trayer', panel, environment)
    return { ...actionsOn(display), environment, [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose]() }
  } catch (error) {
    await owner[Symbol.asyncDispose]()
    throw error
  }
}

function actionsOn({ xdotool }: TestDisplay) {
  const visible = async (search: readonly string[]) => {
    const found = await xdotool('search', '--onlyvisible', ...search).catch(() => '')
    return found.split('\n').filter(Boolean)
  }
  const count = (search: readonly string[], wanted: number, limits = patience) =>
    expect.poll(async () => (await visible(search)).length, limits).toBe(wanted)
  const first = async (search: readonly string[]) => (await visible(search))[0] ?? ''
  /** Repeats the click: a click that comes too early has no effect. */
  const clickUntil = (click: () => Promise<unknown>, menusWanted: number) =>
    vi.waitFor(async () => {
      await click()
      await count(menuWindow, menusWanted, { timeout: attemptMs })
    }, patience)
  const clickAt = (window: string, x: number, y: number) =>
    xdotool('mousemove', '--window', window, `${x}`, `${y}`, 'click', '1')
  return {
    /** Resolves with the program's process id when the icon is there. */
    async iconAppears() {
      await count(iconWindow, 1)
      return Number(await xdotool('getwindowpid', await first(iconWindow)))
    },
    /** Resolves when no icon is there. */
    async iconGoes() {
      await count(iconWindow, 0)
    },
    /** Opens the icon's menu by a click. */
    openMenu: () => clickUntil(async () => clickAt(await first(iconWindow), 8, 8), 1),
    /** Clicks the item at a place, counted from 0, in the open menu, which closes it. */
    choose: (place: number, itemCount: number) =>
      clickUntil(async () => {
        const menu = await first(menuWindow)
        if (!menu) return
        const geometry = await xdotool('getwindowgeometry', '--shell', menu)
        const height = Number(/HEIGHT=(\d+)/.exec(geometry)?.[1])
        await clickAt(menu, 20, Math.round((height * (place + 0.5)) / itemCount))
      }, 0),
  }
}

function start(
  owner: ResourceOwner,
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: environment })
  child.on('error', () => undefined)
  owner.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill()
    await once(child, 'exit')
  })
  return child
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) return line
  throw new Error(`${child.spawnfile} ended at once.`)
}
