import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import * as z from 'zod/mini'
import type { Environment } from './find-program.ts'
import { TrayError, type TrayMenu } from './tray.ts'

/** Writes the first line to the program: the icon with its menu. The title is empty because macOS would show it beside the icon. */
export function writeMenu(menu: TrayMenu, icon: Uint8Array): string {
  const { tooltip } = menu
  const picture = Buffer.from(icon).toString('base64')
  return toLine({ icon: picture, title: '', tooltip, isTemplateIcon: false, items: itemsOf(menu) })
}

/** Writes the lines that change items; none if both menus look the same. */
export function writeChanges(shown: TrayMenu, wanted: TrayMenu): string[] {
  const before = itemsOf(shown).map(item => JSON.stringify(item))
  // Some versions of the program find the item by its place, others by its `__id`.
  return itemsOf(wanted)
    .map((item, place) => ({ type: 'update-item', item, seq_id: place }))
    .filter(({ item }, place) => JSON.stringify(item) !== before[place])
    .map(toLine)
}

/** A click returns the `__id`. */
function itemsOf(menu: TrayMenu) {
  return menu.items.map(({ label, isEnabled }, place) => ({
    title: label,
    tooltip: '',
    checked: false,
    enabled: isEnabled,
    hidden: false,
    __id: place + 1,
  }))
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('clicked'), __id: z.int() }),
])

/** Reads a line of the program; `undefined` for an unknown one. */
export function readProgramLine(text: string): z.output<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Longest wait for the program to end by itself, in milliseconds. */
const endMs = 2000

/** The running program that shows the icon. It ends when its standard input closes, so it ends with this process. */
export class TrayProgram implements AsyncDisposable {
  /** Rejects with a {@link TrayError} when the program ends first. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended or could not be started. Never rejects. */
  readonly ended: Promise<void>
  /** Gets the place of a chosen item, from 0. */
  onClicked: ((place: number) => void) | undefined
  readonly #child: ChildProcessByStdio<Writable, Readable, null>

  constructor(executable: string, environment: Environment) {
    const child = spawn(executable, [], {
      // Windows also looks for libraries in the working directory.
      cwd: dirname(executable),
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      // An interrupt of the terminal must not end the icon before the wrapper.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    child.stdout.on('error', () => undefined)
    this.ended = new Promise(resolve => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    void this.ended.then(() => {
      child.stdin.destroy()
      child.stdout.destroy()
      ready.reject(new TrayError('ended', 'The program that shows the icon ended at once.'))
    })
    createInterface({ input: child.stdout }).on('line', text => {
      const line = readProgramLine(text)
      if (line?.type === 'ready') ready.resolve()
      if (line?.type === 'clicked') this.onClicked?.(line.__id - 1)
    })
  }

  /** Sends lines. No effect after the end of the program. */
  write(lines: readonly string[]): void {
    if (this.#child.stdin.writable) for (const line of lines) this.#child.stdin.write(line)
  }

  /** Closes the program's input, and kills it if it does not end. Resolves when it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endMs)
    await this.ended
    clearTimeout(timer)
  }
}
