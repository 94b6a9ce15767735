import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
} from '@service-link/protocol-core'
import type { Bridge, BridgeWaitOptions, PageCommand } from '../bridge/bridge.ts'
import { PageGoneError } from '../bridge/page-gone-error.ts'
import type { ProvidedCommands } from '../providers/provider.ts'
import type { EngineWindow } from '../window/engine.ts'
import { SerialLane } from './serial-lane.ts'
import { longestWaitMs, timeLimit, unlessAborted } from './time-limit.ts'

/** The window and the bridge to the page in it. */
export interface OpenedWindow {
  readonly window: EngineWindow
  readonly bridge: Bridge
  /**
   * Called when a command has timed out: starts a page that no longer answers anew.
   *
   * @returns whether it did
   */
  checkPage(): Promise<boolean>
  /**
   * Has the service sign the employee on with a signed payload, and waits for the page that it leads to.
   *
   * @throws {SignOnRefusedError} when the service refuses
   * @throws {EngineError} when it cannot be posted
   */
  signOn(payload: string, signal: AbortSignal): Promise<void>
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

/** How often a launch's command is begun at most: one that makes the page crash must not do so for ever. */
const maxAttempts = 3

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
      const { window } = opened
      await unlessAborted(command.name === 'hide' ? window.minimise() : window.show(), limit.signal)
      return undefined
    }
    const bounds = () => ({ timeoutMs: Math.max(1, deadline - performance.now()), signal: limit.signal })
    const untilReady = async () => {
      if (opened.bridge.state.isSignedIn) return
      await unlessAborted(opened.window.show(), limit.signal)
      await opened.bridge.ready(bounds())
    }
    await untilReady()
    const work = async () => {
      // The page may have gone while this waited for its turn.
      await untilReady()
      return runOnPage(opened, command, bounds())
    }
    try {
      return await (commands[command.name].raisesWindow ? this.#lane.add(work, limit.signal) : work())
    } catch (error) {
      if (error instanceof CommandTimeoutError) void opened.checkPage()
      throw error
    }
  }

  /**
   * Carries one launch out, as one piece: signs on with its payload, then runs its commands. Waits for web app and sign-in as
   * long as it takes. A command whose page went away before it answered is given to the page that comes back: all that launches
   * ask for can be asked twice.
   *
   * @param answered when given, nothing is carried out before it resolves, nor when it rejects; the turn is kept meanwhile
   * @throws {CommandError} as the web app refuses
   * @throws {SignOnRefusedError} when the service refuses the payload; no command is run then
   * @throws {EngineError} when the window cannot do what it is asked
   */
  runLaunch(
    { commands: launch, payload }: Pick<ProvidedCommands, 'commands' | 'payload'>,
    answered?: Promise<void>,
  ): Promise<void> {
    const { signal } = this.#lane
    return this.#lane.add(async () => {
      if (answered) await unlessAborted(answered, signal)
      const opened = await unlessAborted(this.#options.opened, signal)
      if (payload !== undefined) await opened.signOn(payload, signal)
      const isForUser = launch.length === 0 || payload !== undefined
      if (isForUser || !opened.bridge.state.isSignedIn) await unlessAborted(opened.window.show(), signal)
      for (const command of launch) {
        if (isForPage(command)) await this.#runForLaunch(opened, command)
        else await this.run(command, signal)
      }
    })
  }

  async #runForLaunch(opened: OpenedWindow, command: PageCommand): Promise<void> {
    const { signal } = this.#lane
    for (let attempt = 1; ; attempt++) {
      await opened.bridge.ready({ timeoutMs: longestWaitMs, signal })
      try {
        await runOnPage(opened, command, { timeoutMs: this.#timeoutMs, signal })
        return
      } catch (error) {
        if (attempt === maxAttempts || !(await isWorthAnother(error, opened))) throw error
        signal.throwIfAborted()
      }
    }
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

/** Whether the page was not there to answer; one that answers, or is merely slow, is not asked again. */
async function isWorthAnother(error: unknown, opened: OpenedWindow): Promise<boolean> {
  if (error instanceof PageGoneError) return true
  return error instanceof CommandTimeoutError && opened.checkPage()
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
