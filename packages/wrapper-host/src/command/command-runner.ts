import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
} from '@service-link/protocol-core'
import type { Bridge, BridgeWaitOptions, PageCommand } from '../bridge/bridge.ts'
import type { ProvidedCommands } from '../providers/provider.ts'
import type { EngineWindow } from '../window/engine.ts'
import { SerialLane } from './serial-lane.ts'
import { longestWaitMs, timeLimit, unlessAborted } from './time-limit.ts'

/** The window and the bridge to the page in it. */
export interface OpenedWindow {
  readonly window: EngineWindow
  readonly bridge: Bridge
}

/** What a command runner commands. */
export interface CommandRunnerOptions {
  /** Settles when the window is open; commands wait for it. */
  readonly opened: Promise<OpenedWindow>
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Begins to exit the wrapper; returns at once, so that the command can still be answered. */
  requestClose(): void
  /** Longest wait in milliseconds for the web app to answer one command, and for a sign-in. Default 30,000. */
  readonly commandTimeoutMs?: number
}

/** How much later than the bridge's own limit the outer one strikes, so that the bridge names the reason. */
const graceMs = 1000

/** Carries commands out, wherever they came from: the one place through which every command goes. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions
  readonly #timeoutMs: number
  readonly #lane = new SerialLane()

  constructor(options: CommandRunnerOptions) {
    this.#options = options
    this.#timeoutMs = Math.min(options.commandTimeoutMs ?? 30_000, longestWaitMs)
    options.opened.catch(() => undefined)
  }

  /**
   * Carries one command of a pipe client out. Waits for the web app and, showing the window, for a sign-in, but not longer
   * than the time limit. A command that changes what the user sees waits for its turn.
   *
   * @throws {CommandError} as the command table and the bridge say
   */
  async run(command: Command, signal?: AbortSignal): Promise<CommandResult<CommandName>> {
    this.throwIfClosing()
    if (command.name === 'version') return this.#options.version
    if (command.name === 'close') {
      this.#options.requestClose()
      return undefined
    }
    const deadline = performance.now() + this.#timeoutMs
    const timedOut = () => new CommandTimeoutError(this.#timeoutMs)
    using limit = timeLimit(this.#timeoutMs + graceMs, timedOut, signal, this.#lane.signal)
    const opened = await unlessAborted(this.#options.opened, limit.signal)
    if (!isForPage(command)) {
      await (command.name === 'hide' ? opened.window.minimise() : opened.window.show())
      return undefined
    }
    const remainingMs = () => Math.max(1, deadline - performance.now())
    if (!opened.bridge.state.isSignedIn) {
      await opened.window.show()
      await opened.bridge.ready({ timeoutMs: remainingMs(), signal: limit.signal })
    }
    const work = () => runOnPage(opened, command, { timeoutMs: remainingMs(), signal: limit.signal })
    return commands[command.name].raisesWindow ? this.#lane.add(work, limit.signal) : work()
  }

  /**
   * Carries the commands of one launch out, as one piece; waits for web app and sign-in as long as it takes.
   *
   * @param answered when given, nothing is carried out before it resolves, nor when it rejects; the turn is kept meanwhile
   */
  runLaunch(
    { commands: launch }: Pick<ProvidedCommands, 'commands' | 'payload'>,
    answered?: Promise<void>,
  ): Promise<void> {
    const { signal } = this.#lane
    return this.#lane.add(async () => {
      if (answered) await unlessAborted(answered, signal)
      const opened = await unlessAborted(this.#options.opened, signal)
      if (launch.length === 0 || !opened.bridge.state.isSignedIn) await opened.window.show()
      for (const command of launch) {
        if (isForPage(command)) {
          await opened.bridge.ready({ timeoutMs: longestWaitMs, signal })
          await runOnPage(opened, command, { timeoutMs: this.#timeoutMs, signal })
        } else await this.run(command, signal)
      }
    })
  }

  /** @throws {ClosingError} once {@link close} was called */
  throwIfClosing(): void {
    this.#lane.signal.throwIfAborted()
  }

  /** Begins nothing further; what waits fails with {@link ClosingError}. */
  close(): void {
    this.#lane.close()
  }
}

async function runOnPage(
  { bridge, window }: OpenedWindow,
  command: PageCommand,
  options: BridgeWaitOptions,
): Promise<CommandResult<CommandName>> {
  const result = await bridge.run(command, options)
  if (commands[command.name].raisesWindow) await window.show()
  return result
}

function isForPage(command: Command): command is PageCommand {
  return commands[command.name].target === 'page'
}
