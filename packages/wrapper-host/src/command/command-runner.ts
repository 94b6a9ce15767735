import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
  NotSignedInError,
} from '@service-link/protocol-core'
import type { EngineWindow } from '@service-link/window-engine'
import type { Bridge, PageCommand } from '../bridge/bridge.ts'
import { PageGoneError } from '../bridge/page-gone-error.ts'
import type { CommandRun, CommandRunOptions } from './command-run.ts'
import { isOwnCommand, type OwnCommand } from './own-command.ts'
import { type LaneOptions, SerialLane } from './serial-lane.ts'
import { type FollowedSignIn, type SessionTie, SessionTies } from './session-ties.ts'
import { SignedOutError } from './signed-out-error.ts'
import { longestWaitMs, timeLimit, unlessAborted } from './time-limit.ts'
import { signedOutAtWork, turnTimeout } from './turn-errors.ts'
import { isSignedIn, untilSignedIn } from './until-signed-in.ts'

/** The window and the bridge to the page in it. */
export interface OpenedWindow {
  readonly window: EngineWindow
  readonly bridge: Bridge
  /** Who is signed in; not the user of a page that is being signed out. */
  readonly signIn: FollowedSignIn
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
   * @throws {SignOnUnreachableError} when it cannot be reached for 5 minutes
   * @throws {EngineError} when it cannot be posted
   */
  signOn(payload: string, signal: AbortSignal): Promise<void>
}

/** A command that the window carries out. */
type WindowCommand = Exclude<Command, PageCommand | OwnCommand>

/** What a command runner commands. */
export interface CommandRunnerOptions {
  /** Settles when the window is open; commands wait for it. */
  readonly opened: Promise<OpenedWindow>
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Told of each command that the web app has carried out, whoever asked for it. */
  onCarriedOut?(command: PageCommand): void
  /** Begins to exit the wrapper; returns at once, so that the command can still be answered. */
  requestClose(): void
  /** Longest wait in milliseconds for the web app to answer one command, and for a sign-in. Default 30,000. */
  readonly commandTimeoutMs?: number
}

/** For whom the page carries something out. */
interface Wanted {
  readonly tie: SessionTie
  /** Aborts when nobody waits for it any more, which includes the end of the session. */
  readonly signal: AbortSignal
}

/** How often a launch's command is begun at most: one that makes the page crash must not do so for ever. */
const maxAttempts = 3

/** Carries commands out, wherever they came from: the one place through which every command goes. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions
  readonly #timeoutMs: number
  readonly #lane = new SerialLane()
  /** Those on their way to the lane: each is as long as it waits for the sign-in. */
  readonly #arrivals = new SerialLane()
  readonly #ties = new SessionTies()
  /** As a client: all launches together are one. */
  readonly #launches = {}

  constructor(options: CommandRunnerOptions) {
    this.#options = options
    this.#timeoutMs = Math.min(options.commandTimeoutMs ?? 30_000, longestWaitMs)
    options.opened.then(
      ({ signIn }) => this.#ties.follow(signIn),
      () => undefined,
    )
  }

  /**
   * Carries one command of a pipe client out. Waits for the web app and, showing the window, for a sign-in, but not longer
   * than the time limit. A command that changes what the user sees waits for its turn, and keeps it for as long as the page is at
   * work for it, also when it is given up. Only one that has had the time limit for itself in the page may go on there beside the
   * next: nothing stops it. One whose turn has not come within the limit is not begun. Clients take turns, and all launches
   * together are one of them: whoever sends many commands delays another by one. Only a launch that signs an employee on changes
   * places with nothing.
   *
   * One that was given while somebody was signed in fails when they sign out before the page has answered. It is not begun for the
   * next user; whether one that was begun had an effect is not known.
   *
   * @throws {CommandError} as the command table and the bridge say
   */
  run(command: Command, signal?: AbortSignal): Promise<CommandResult<CommandName>> {
    return this.begin(command, { signal }).answer
  }

  /** As {@link run}, for whoever also has to know when the web app is done with it. Never throws. */
  begin(command: Command, options: CommandRunOptions = {}): CommandRun {
    let atWork: Promise<unknown> = Promise.resolve()
    const answer = this.#answer(command, options, work => {
      atWork = work
    })
    const settled = () => atWork.then(nothing, nothing)
    return { answer, ended: answer.then(settled, settled) }
  }

  async #answer(
    command: Command,
    options: CommandRunOptions,
    hold: (work: Promise<unknown>) => void,
  ): Promise<CommandResult<CommandName>> {
    if (isOwnCommand(command)) return this.runOwn(command)
    this.throwIfClosing()
    if (isForPage(command)) return this.#runForClient(command, options, hold)
    return this.#runOnWindow(command, options.signal, hold)
  }

  async #runOnWindow(
    command: WindowCommand,
    signal: AbortSignal | undefined,
    hold: (work: Promise<unknown>) => void,
  ): Promise<undefined> {
    const timedOut = () => new CommandTimeoutError(this.#timeoutMs)
    using limit = timeLimit(this.#timeoutMs, timedOut, signal, this.#lane.signal)
    const { window } = await unlessAborted(this.#options.opened, limit.signal)
    limit.signal.throwIfAborted()
    const work = command.name === 'hide' ? window.minimise() : window.show()
    hold(work)
    await unlessAborted(work, limit.signal)
  }

  async #runForClient(
    command: PageCommand,
    { signal, client = {} }: CommandRunOptions,
    hold: (work: Promise<unknown>) => void,
  ): Promise<CommandResult<CommandName>> {
    const deadline = performance.now() + this.#timeoutMs
    let hosted: OpenedWindow | undefined
    let hasBegun = false
    const late = () => {
      if (hasBegun || !hosted?.bridge.state.isLoaded) return new CommandTimeoutError(this.#timeoutMs)
      return isSignedIn(hosted) ? turnTimeout(this.#timeoutMs) : new NotSignedInError()
    }
    using waiting = new DisposableStack()
    const signedOut = () => (hasBegun ? signedOutAtWork() : new NotSignedInError())
    const tie = waiting.use(this.#ties.add({ isSigningOn: false, reason: signedOut }))
    using limit = timeLimit(this.#timeoutMs, late, signal, this.#lane.signal, tie.signal)
    const opened = await unlessAborted(this.#options.opened, limit.signal)
    hosted = opened
    const untilReady = async () => {
      if (isSignedIn(opened)) return
      await unlessAborted(opened.window.show(), limit.signal)
      await untilSignedIn(opened, { timeoutMs: longestWaitMs, signal: limit.signal })
    }
    const isRaising = commands[command.name].raisesWindow
    const turn = { client, signal: limit.signal }
    await (isRaising ? this.#inOrder(untilReady(), turn) : untilReady())
    const work = async () => {
      // The page may have gone while this waited for its turn.
      await untilReady()
      limit.signal.throwIfAborted()
      // A timer is late when there is much to do.
      if (performance.now() >= deadline) throw late()
      hasBegun = true
      tie.begun()
      // The page may be at work for it longer than anybody waits.
      const atWork = waiting.move()
      const running = this.#runOnPage(opened, command, { tie, signal: limit.signal })
      hold(running)
      const end = () => atWork.dispose()
      running.then(end, end)
      running.catch(error => error instanceof CommandTimeoutError && opened.checkPage())
      return running
    }
    return await (isRaising ? this.#lane.add(work, turn) : unlessAborted(work(), limit.signal))
  }

  /**
   * Carries a command of the wrapper itself out, at once.
   *
   * @throws {ClosingError} once {@link close} was called
   */
  runOwn(command: OwnCommand): string | undefined {
    this.throwIfClosing()
    if (command.name === 'version') return this.#options.version
    this.#options.requestClose()
    return undefined
  }

  /**
   * Carries one launch out, as one piece: signs on with its payload, then runs its commands. Waits for web app and sign-in as
   * long as it takes. A command whose page went away before it answered is given to the page that comes back: all that launches
   * ask for can be asked twice. But it is carried out for one user only: for whoever is signed in when it is taken, for the first
   * who signs in when nobody is, for its own employee when it has a payload; it fails when they sign out before.
   *
   * @param answered when given, nothing is carried out before it resolves, nor when it rejects; the turn is kept meanwhile
   * @throws {CommandError} as the web app refuses
   * @throws {SignOnRefusedError} when the service refuses the payload; no command is run then
   * @throws {SignedOutError} when the user that it is for has signed out
   * @throws {EngineError} when the window cannot do what it is asked
   */
  runLaunch(
    { commands: launch, payload }: { readonly commands: readonly Command[]; readonly payload?: string },
    answered?: Promise<void>,
  ): Promise<void> {
    const isSigningOn = payload !== undefined
    const tie = this.#ties.add({ isSigningOn, reason: () => new SignedOutError() })
    const signal = AbortSignal.any([this.#lane.signal, tie.signal])
    const work = async () => {
      if (answered) await unlessAborted(answered, signal)
      const opened = await unlessAborted(this.#options.opened, signal)
      if (payload !== undefined) await opened.signOn(payload, signal)
      const isForUser = launch.length === 0 || isSigningOn
      if (isForUser || !isSignedIn(opened)) await unlessAborted(opened.window.show(), signal)
      for (const command of launch) {
        if (isForPage(command)) await this.#runForLaunch(opened, command, { tie, signal })
        else await this.run(command, signal)
      }
    }
    // Commands before it are for the user before, those behind it for its own: none may change places with it.
    const turn = { client: this.#launches, signal: tie.signal, isAlone: isSigningOn }
    return this.#lane.add(work, turn).finally(() => tie[Symbol.dispose]())
  }

  /** Waits also for what arrived earlier: commands that show something keep their order, also when they all wait for a sign-in. */
  #inOrder(ready: Promise<void>, turn: LaneOptions): Promise<void> {
    ready.catch(() => undefined)
    return this.#arrivals.add(() => ready, turn)
  }

  async #runForLaunch(opened: OpenedWindow, command: PageCommand, { tie, signal }: Wanted): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await untilSignedIn(opened, { timeoutMs: longestWaitMs, signal })
      signal.throwIfAborted()
      tie.signedOn()
      try {
        await this.#runOnPage(opened, command, { tie, signal })
        return
      } catch (error) {
        if (attempt === maxAttempts || !(await isWorthAnother(error, opened))) throw error
        signal.throwIfAborted()
      }
    }
  }

  /**
   * Has the page carry a command out. Nothing stops it there: this takes until the page has answered or has gone, though not longer
   * than the time limit, also when nobody waits for it any more.
   */
  async #runOnPage(
    { bridge, window }: OpenedWindow,
    command: PageCommand,
    { tie, signal }: Wanted,
  ): Promise<CommandResult<CommandName>> {
    const result = await bridge.run(command, { timeoutMs: this.#timeoutMs })
    if (!tie.signal.aborted) this.#options.onCarriedOut?.(command)
    if (commands[command.name].raisesWindow && !signal.aborted) await window.show()
    return result
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

function nothing(): void {}

function isForPage(command: Command): command is PageCommand {
  return commands[command.name].target === 'page'
}
