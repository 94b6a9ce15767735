import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { EventListeners } from '../window/event-listeners.ts'
import { FloodGate } from './flood-gate.ts'
import { LineDecoder } from './line-decoder.ts'
import type { Environment } from './platform/tray-platform.ts'
import { type ProgramLine, readProgramLine } from './systray-protocol.ts'

/** A click is told in a few hundred characters, and nobody clicks a hundred times in a second. */
const maxTextPerSecond = 64 * 1024

/** How long the program may take to end by itself, in milliseconds. */
const endMs = 2000

/** What the program tells. */
interface TrayProgramEvents {
  line: ProgramLine
  /** It is gone; the last event. */
  ended: Record<string, never>
}

/**
 * The running program that shows the icon. It ends when its standard input closes, so also when this process dies. Lines that
 * say nothing are passed over; one that floods is ended. What it writes to standard error is not read.
 */
export class TrayProgram implements AsyncDisposable {
  /** Resolves when the process is gone, or could not be started. Never rejects. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #listeners = new EventListeners<TrayProgramEvents>()
  readonly #decoder = new LineDecoder(maxTextPerSecond)
  readonly #gate = new FloodGate(maxTextPerSecond)

  constructor(executable: string, environment: Environment) {
    this.#child = spawn(executable, [], {
      // On Windows libraries are looked for in the working directory, too.
      cwd: dirname(executable),
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      // What interrupts this process from a terminal must not end the icon first.
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

  /** Sends lines; nothing once the program has ended. */
  write(lines: readonly string[]): void {
    if (this.#child.stdin?.writable) for (const line of lines) this.#child.stdin.write(line)
  }

  /** Adds a listener; the function returned removes it. */
  on: EventListeners<TrayProgramEvents>['on'] = (name, listener) => this.#listeners.on(name, listener)

  /** Ends the program: by itself, else by force. Resolves when it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endMs)
    await this.ended
    clearTimeout(timer)
  }

  #take(text: string): void {
    const isFlood = this.#gate.take(text.length, performance.now())
    const lines = isFlood ? undefined : this.#decoder.push(text)
    if (!lines) this.#stopFlood()
    for (const line of lines ?? []) {
      const read = readProgramLine(line)
      if (read) this.#listeners.emit('line', read)
    }
  }

  #stopFlood(): void {
    this.#child.stdout?.removeAllListeners('data').resume()
    this.#child.kill('SIGKILL')
  }
}
