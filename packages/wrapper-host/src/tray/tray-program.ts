import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { EventListeners } from '@service-link/window-engine'
import { z } from 'zod'
import type { Environment } from './linux-desktop.ts'
import type { TrayMenu } from './tray.ts'

/** The program cannot add items later. Unused places are hidden items. */
const menuPlaces = 3

/** Writes the first line to the program: the icon with its menu. */
export function writeMenu(menu: TrayMenu, icon: Uint8Array): string {
  return toLine({ icon: Buffer.from(icon).toString('base64'), ...headOf(menu), items: itemsOf(menu) })
}

/** Writes the lines that change the menu; none if both look the same. */
export function writeChanges(shown: TrayMenu, wanted: TrayMenu): string[] {
  const before = itemsOf(shown).map(item => JSON.stringify(item))
  // Some versions of the program find the item by its place, others by its `__id`.
  const items = itemsOf(wanted)
    .map((item, place) => ({ type: 'update-item', item, seq_id: place }))
    .filter(({ item }, place) => JSON.stringify(item) !== before[place])
  const head = shown.tooltip === wanted.tooltip ? [] : [{ type: 'update-menu', menu: headOf(wanted) }]
  return [...items, ...head].map(toLine)
}

/** Describes the icon. The title is empty because macOS would show it beside the icon. */
function headOf(menu: TrayMenu) {
  return { title: '', tooltip: menu.tooltip, isTemplateIcon: false }
}

/** Makes the program's items. A click returns the `__id`. */
function itemsOf(menu: TrayMenu) {
  return Array.from({ length: menuPlaces }, (_, place) => {
    const item = menu.items[place]
    return {
      title: item?.label ?? '',
      tooltip: '',
      checked: false,
      enabled: item?.isEnabled ?? false,
      hidden: item === undefined,
      __id: place + 1,
    }
  })
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/** A message of the program. `place` counts from 0. */
type ProgramLine = { readonly type: 'ready' } | { readonly type: 'clicked'; readonly place: number }

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('clicked'), __id: z.int().min(1).max(menuPlaces) }),
])

/** Reads a line of the program; `undefined` for an unknown one. */
export function readProgramLine(text: string): ProgramLine | undefined {
  const { data } = lineSchema.safeParse(readJson(text))
  return data?.type === 'clicked' ? { type: 'clicked', place: data.__id - 1 } : data
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A click takes a few hundred characters. */
const maxTextPerSecond = 64 * 1024

/** Longest wait for the program to end by itself, in milliseconds. */
const endMs = 2000

interface TrayProgramEvents {
  line: ProgramLine
  /** The process has ended; the last event. */
  ended: Record<string, never>
}

/**
 * The running program that shows the icon. It ends when its standard input closes, so it ends with this process. Unknown lines are
 * ignored. A program that floods is killed.
 */
export class TrayProgram implements AsyncDisposable {
  /** Resolves when the process has ended or could not be started. Never rejects. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #listeners = new EventListeners<TrayProgramEvents>()
  /** The incomplete last line. */
  #rest = ''
  #secondBeganMs = 0
  #textInSecond = 0

  constructor(executable: string, environment: Environment) {
    this.#child = spawn(executable, [], {
      // Windows also looks for libraries in the working directory.
      cwd: dirname(executable),
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      // An interrupt of the terminal must not end the icon before the wrapper.
      detached: process.platform !== 'win32',
    })
    const child = this.#child
    child.stdin?.on('error', () => undefined)
    child.stdout?.on('error', () => undefined)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    this.ended = new Promise(resolve => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    void this.ended.then(() => {
      child.stdin?.destroy()
      child.stdout?.destroy()
      this.#listeners.emit('ended', {})
      this.#listeners.clear()
    })
  }

  /** Sends lines. No effect after the end of the program. */
  write(lines: readonly string[]): void {
    if (this.#child.stdin?.writable) for (const line of lines) this.#child.stdin.write(line)
  }

  /** Adds a listener. Returns a function that removes it. */
  on: EventListeners<TrayProgramEvents>['on'] = (name, listener) => this.#listeners.on(name, listener)

  /** Closes the program's input, and kills it if it does not end. Resolves when it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endMs)
    await this.ended
    clearTimeout(timer)
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#isFlood(text.length)) {
      this.#child.stdout?.removeAllListeners('data').resume()
      this.#child.kill('SIGKILL')
      return
    }
    for (const line of lines) {
      const read = readProgramLine(line)
      if (read) this.#listeners.emit('line', read)
    }
  }

  #isFlood(length: number): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#secondBeganMs >= 1000) {
      this.#secondBeganMs = nowMs
      this.#textInSecond = 0
    }
    this.#textInSecond += length
    return this.#textInSecond > maxTextPerSecond || this.#rest.length > maxTextPerSecond
  }
}
