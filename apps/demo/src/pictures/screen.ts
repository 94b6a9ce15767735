import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findOnPath } from '@service-link/window-engine'
import { endProgram } from '../demo/run-program.ts'
import { eventually } from '../demo/waits.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
const maxBytes = 150 * 1024

interface PictureArea {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Writes `docs/images/<name>.png`; `area` is the whole screen by default. */
export function findCamera(environment: NodeJS.ProcessEnv) {
  const program = findOnPath('import')
  if (!program) return undefined
  return async (name: string, area?: PictureArea) => {
    const crop = area ? ['-crop', `${area.width}x${area.height}+${area.left}+${area.top}`, '+repage'] : []
    await run(program, ['-window', 'root', ...crop, ...small, fileOf(name)], { env: environment })
    await checkSize(name)
  }
}

/** Writes a page's picture to `docs/images/<name>.png`. */
export async function writePicture(name: string, png: Buffer): Promise<void> {
  const converted = run('convert', ['png:-', ...small, fileOf(name)])
  converted.child.stdin?.end(png)
  await converted
  await checkSize(name)
}

/** A palette suffices for text and flat colors, and the file has a third of the size. */
const small = ['+dither', '-colors', '255', '-strip', '-define', 'png:compression-level=9']

const fileOf = (name: string) => `png8:${join(folder, `${name}.png`)}`

async function checkSize(name: string): Promise<void> {
  const { size } = await stat(join(folder, `${name}.png`))
  process.stdout.write(`${name}.png ${Math.ceil(size / 1024)} KiB\n`)
  if (size > maxBytes) throw new Error(`${name}.png has ${size} bytes, more than ${maxBytes}.`)
}

const iconWindow = ['--class', '^systray$']
const menuWindow = ['--class', '^tray_linux_release$']

/** Starts a notification area at the lower right of a screen, with the message bus that its icons need. */
export async function startNotificationArea(screen: { readonly DISPLAY: string }) {
  const dbus = findOnPath('dbus-daemon')
  const trayer = findOnPath('trayer')
  const xdotool = findOnPath('xdotool')
  if (!dbus || !trayer || !xdotool)
    throw new Error('A notification area needs dbus-daemon, trayer and xdotool.')
  await using resources = new AsyncDisposableStack()
  const bus = spawn(dbus, ['--session', '--nofork', '--print-address=3'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  resources.defer(() => endProgram(bus))
  const [address] = await once(createInterface({ input: bus.stdio[3] as Readable }), 'line')
  const environment = { DBUS_SESSION_BUS_ADDRESS: String(address), NO_AT_BRIDGE: '1' }
  const env = { ...process.env, ...screen, ...environment }
  const place = ['--edge', 'bottom', '--align', 'right', '--widthtype', 'request', '--height', '32']
  const panel = spawn(trayer, place, { stdio: 'ignore', env })
  resources.defer(() => endProgram(panel))

  const ask = async (...args: readonly string[]) => (await run(xdotool, args, { env })).stdout.trim()
  const find = async (search: readonly string[]) => {
    const found = await ask('search', '--onlyvisible', ...search).catch(() => '')
    return found.split('\n').find(Boolean)
  }
  const owned = resources.move()
  return {
    environment,
    async openMenu() {
      const icon = await eventually('The icon', () => find(iconWindow))
      await ask('mousemove', '--window', icon, '8', '8', 'click', '1')
      await eventually('The menu', () => find(menuWindow))
    },
    async closeMenu() {
      await ask('key', 'Escape')
      await eventually('The end of the menu', async () => !(await find(menuWindow)))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
