import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
  NotSignedInError,
  opensNothing,
} from '@service-link/protocol-core'
import { Deadline, maxTimerMs, waitFor } from '@service-link/protocol-core/time'
import type { PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { LaunchParameters } from '../web-app/page/messages.ts'
import { PageGoneError } from '../web-app/read-page.ts'
import {
  isSignedIn,
  SerialLane,
  type SessionTie,
  SessionTies,
  SignedOutError,
  signedOutAtWork,
  untilPage,
  untilSignedIn,
} from './admission.ts'

/** A command that the wrapper carries out at once, without window and web app. An `openworkout` is one if it opens nothing. */
type OwnCommand = Extract<Command, { name: 'version' | 'close' | 'log' | 'openworkout' }>

export function isOwnCommand(command: Command): command is OwnCommand {
  return commands[command.name].target === 'wrapper' || opensNothing(command)
}

function isForPage(command: Command): command is PageCommand {
  return commands[command.name].target === 'page' && !opensNothing(command)
}

type WindowCommand = Exclude<Command, PageCommand | OwnCommand>

interface CommandRunnerOptions {
  /** Settles when the window is open; commands wait for it. */
  readonly opened: Promise<HostedWindow>
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Gets each command that the web app has carried out. */
  onCarriedOut?(command: PageCommand): void
  /** Begins to exit the wrapper. Returns at once, so that the command can still be answered. */
  requestClose(how: { readonly signsOut: boolean }): void
  /** Writes everything to the log until the wrapper exits. */
  writeDebugLog?(): void
  /** Longest wait for a sign-in, and for the web app to answer one command, in milliseconds. Default 30,000. */
  readonly commandTimeoutMs?: number
}

interface CommandRunOptions {
  /** Gives up the command: the answer rejects at once with the reason. The page finishes its work. */
  readonly signal?: AbortSignal | undefined
  /** Any object that stands for the client. Commands of one client keep their order. Default: a client of its own. */
  readonly client?: object | undefined
}

interface CommandRun {
  /** Result; rejects at once when the command is given up. The caller must handle the rejection. */
  readonly answer: Promise<CommandResult<CommandName>>
  /**
   * Resolves when no work is left: the page has answered, has gone, or has had the command's time limit. Not before {@link answer}
   * settles; never rejects.
   */
  readonly ended: Promise<void>
}

interface RunnableLaunch {
  readonly commands: readonly Command[]
  readonly payload?: string
  readonly launchParameters?: LaunchParameters | undefined
}

/** Waits for a page in the turn of a launch. */
type WaitInTurn = (isThere: () => boolean, signal: AbortSignal) => Promise<void>

/** Limit for commands of a launch: one that crashes the page must not do so for ever. */
const maxAttempts = 3

/** Carries out all commands, of launches and of pipe clients. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions
  readonly #timeoutMs: number
  readonly #lane = new SerialLane()
  /** Commands on their way to the lane. Each waits here for the sign-in. */
  readonly #arrivals = new SerialLane()
  readonly #ties = new SessionTies()
  #opened: HostedWindow | undefined
  /** All launches together are one client. */
  readonly #launches = {}

  constructor(options: CommandRunnerOptions) {
    this.#options = options
    this.#timeoutMs = Math.min(options.commandTimeoutMs ?? 30_000, maxTimerMs)
    options.opened.then(
      opened => {
        this.#opened = opened
        this.#ties.follow(opened.signIn)
      },
      () => undefined,
    )
  }

  /** As {@link begin}; returns the answer only. */
  run(command: Command, signal?: AbortSignal): Promise<CommandResult<CommandName>> {
    return this.begin(command, { signal }).answer
  }

  /**
   * Carries out one command of a pipe client. It waits for the web app and, showing the window, for a sign-in, within the time
   * limit.
   *
   * A command that changes the view waits for its turn, and keeps the turn while the page works for it, also after it is given
   * up. Nothing stops the page: a command that has used its whole time limit in the page may go on beside the next. A command
   * whose turn does not come within the limit is not begun. Clients take turns, and all launches together are one client. A
   * launch that signs an employee on keeps its place among the commands of all clients, but goes before one that waits for a
   * sign-in.
   *
   * A command fails if its user signs out before the answer. It is not begun for the next user; if it was begun, it may have had
   * an effect.
   */
  begin(command: Command, options: CommandRunOptions = {}): CommandRun {
    let atWork: Promise<unknown> | undefined
    const answer = this.#answer(command, options, work => {
      atWork = work
    })
    const ended = async () => void (await atWork?.catch(() => undefined))
    return { answer, ended: answer.then(ended, ended) }
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

  /** Carries out a command of the wrapper itself, at once. */
  runOwn(command: OwnCommand): string | undefined {
    this.throwIfClosing()
    if (command.name === 'version') return this.#options.version
    if (command.name === 'log') this.#options.writeDebugLog?.()
    else if (command.name === 'close') this.#options.requestClose({ signsOut: command.args.signout ?? true })
    return undefined
  }

  async #runOnWindow(
    command: WindowCommand,
    signal: AbortSignal | undefined,
    hold: (work: Promise<unknown>) => void,
  ): Promise<undefined> {
    using limit = this.#deadline(signal).limit(() => new CommandTimeoutError(this.#timeoutMs))
    const { window } = await waitFor(this.#options.opened, limit.signal)
    limit.signal.throwIfAborted()
    const work = command.name === 'hide' ? window.hide() : window.show()
    hold(work)
    await waitFor(work, limit.signal)
  }

  async #runForClient(
    command: PageCommand,
    { signal, client = {} }: CommandRunOptions,
    hold: (work: Promise<unknown>) => void,
  ): Promise<CommandResult<CommandName>> {
    const begun: { opened?: HostedWindow; running?: Promise<CommandResult<CommandName>> } = {}
    const late = () => {
      const { opened, running } = begun
      if (running || !opened?.bridge.state.isLoaded) return new CommandTimeoutError(this.#timeoutMs)
      return isSignedIn(opened) ? turnTimeout(this.#timeoutMs) : new NotSignedInError()
    }
    const signedOut = () => (begun.running ? signedOutAtWork() : new NotSignedInError())
    const tie = this.#ties.add({ isSigningOn: false, reason: signedOut })
    const deadline = new Deadline(this.#timeoutMs, signal)
    using limit = deadline.limit(late, tie.signal)
    try {
      const opened = this.#opened ?? (await waitFor(this.#options.opened, limit.signal))
      begun.opened = opened
      const untilReady = async () => {
        if (isSignedIn(opened)) return
        await waitFor(opened.window.show(), limit.signal)
        await untilSignedIn(opened, limit.signal)
      }
      const work = async () => {
        limit.signal.throwIfAborted()
        // Timers are late on a busy machine.
        if (deadline.isOver) throw late()
        tie.begun()
        const running = this.#runOnPage(opened, command, tie.signal, limit.signal)
        begun.running = running
        hold(running)
        running.catch(error => error instanceof CommandTimeoutError && opened.checkPage())
        return running
      }
      if (!commands[command.name].raisesWindow) {
        await untilReady()
        return await waitFor(work(), limit.signal)
      }
      const turn = { client, signal: limit.signal }
      const ready = untilReady()
      ready.catch(() => undefined)
      // Commands that change the view keep their order, also if they all wait for a sign-in.
      await this.#arrivals.add(() => ready, turn)
      const workInTurn = async () => {
        // The page may have gone while this waited for its turn.
        await this.#lane.lend(() => isSignedIn(opened), untilReady)
        return work()
      }
      return await this.#lane.add(workInTurn, turn)
    } finally {
      // The page may work longer than the client waits.
      const end = () => tie[Symbol.dispose]()
      if (begun.running) begun.running.then(end, end)
      else end()
    }
  }

  #deadline(signal?: AbortSignal): Deadline {
    const closing = this.#lane.signal
    return new Deadline(this.#timeoutMs, signal ? AbortSignal.any([closing, signal]) : closing)
  }

  /**
   * Carries out one launch as one piece: signs on with its payload, gives its parameters, then runs its commands. Waits for web app
   * and sign-in without limit. A launch without commands waits for a page for the time limit only. If the page goes away before an
   * answer, the next page gets the command: all commands of launches can be repeated.
   *
   * A launch is for one user only: for the signed-in one when it is taken; else for the first who signs in; with a payload, for
   * its own employee. It fails if that user signs out before. While it waits for a sign-in, launches with a payload go first.
   */
  runLaunch(
    { commands: launch, payload, launchParameters }: RunnableLaunch,
    answered?: Promise<void>,
  ): Promise<void> {
    const isSigningOn = payload !== undefined
    const tie = this.#ties.add({ isSigningOn, reason: () => new SignedOutError() })
    const { signal } = tie
    const work = async () => {
      if (answered) await waitFor(answered, signal)
      const opened = await waitFor(this.#options.opened, signal)
      if (payload !== undefined) await opened.signOn(payload, signal)
      const isForUser = launch.length === 0 || isSigningOn
      if (isForUser || !isSignedIn(opened)) await waitFor(opened.window.show(), signal)
      const wait = this.#waitInTurn(opened, isSigningOn)
      if (launchParameters)
        await this.#giveParameters(opened, launchParameters, signal, launch.some(isForPage), wait)
      for (const command of launch) {
        if (isForPage(command)) await this.#runForLaunch(opened, command, tie, signal, wait)
        else await this.run(command, signal)
      }
    }
    // Commands before a sign-on are for the former user, those behind it for its employee.
    const turn = { client: this.#launches, signal, isAlone: isSigningOn }
    return this.#lane.add(work, turn).finally(() => tie[Symbol.dispose]())
  }

  /**
   * Makes the wait of a launch for a page. A launch that signs in goes first meanwhile. If the one that waits has signed on itself,
   * its employee has been replaced: it is not carried out for another.
   */
  #waitInTurn(opened: HostedWindow, isSigningOn: boolean): WaitInTurn {
    let isReplaced = false
    return async (isThere, signal) => {
      const hasLent = await this.#lane.lend(isThere, () => untilPage(opened, isThere, signal))
      isReplaced ||= hasLent && isSigningOn
      if (isReplaced) throw new SignedOutError()
    }
  }

  /** A page without the handler ignores the parameters. No launch fails for them. */
  async #giveParameters(
    opened: HostedWindow,
    parameters: LaunchParameters,
    signal: AbortSignal,
    isPatient: boolean,
    wait: WaitInTurn,
  ): Promise<void> {
    const { bridge } = opened
    using limit = this.#deadline(signal).limit(() => new CommandTimeoutError(this.#timeoutMs))
    const waiting = isPatient ? signal : limit.signal
    const give = async () => {
      await wait(() => bridge.state.isLoaded, waiting)
      await bridge.giveLaunchParameters(parameters, this.#timeoutMs)
    }
    await this.#askPages(opened, give, signal).catch(() => signal.throwIfAborted())
  }

  #runForLaunch(
    opened: HostedWindow,
    command: PageCommand,
    tie: SessionTie,
    signal: AbortSignal,
    wait: WaitInTurn,
  ): Promise<void> {
    const run = async () => {
      await wait(() => isSignedIn(opened), signal)
      signal.throwIfAborted()
      tie.signedOn()
      await this.#runOnPage(opened, command, tie.signal, signal)
    }
    return this.#askPages(opened, run, signal)
  }

  /** Asks the next page if one goes away before its answer. */
  async #askPages(opened: HostedWindow, ask: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask()
      } catch (error) {
        if (attempt === maxAttempts || !(await isWorthAnother(error, opened))) throw error
        signal.throwIfAborted()
      }
    }
  }

  /**
   * Has the page carry out a command, also if nobody waits any more. Settles when the page has answered or gone, or at the time
   * limit.
   */
  async #runOnPage(
    { bridge, window }: HostedWindow,
    command: PageCommand,
    session: AbortSignal,
    wanted: AbortSignal,
  ): Promise<CommandResult<CommandName>> {
    const result = await bridge.run(command, this.#timeoutMs)
    if (!session.aborted) this.#options.onCarriedOut?.(command)
    if (commands[command.name].raisesWindow && !wanted.aborted) await window.show()
    return result
  }

  throwIfClosing(): void {
    this.#lane.signal.throwIfAborted()
  }

  /** Begins no further work. Waiting commands fail with {@link ClosingError}. */
  close(): void {
    this.#lane.close()
    this.#ties.close(this.#lane.signal.reason)
  }
}

/** Whether the page was not there to answer. A page that answers, or is merely slow, is not asked again. */
async function isWorthAnother(error: unknown, opened: HostedWindow): Promise<boolean> {
  if (error instanceof PageGoneError) return true
  return error instanceof CommandTimeoutError && opened.checkPage()
}

function turnTimeout(timeoutMs: number): CommandTimeoutError {
  const sentence = `The command waited for its turn, behind others, for ${Math.round(timeoutMs)} ms. Nothing was done.`
  return new CommandTimeoutError(timeoutMs, sentence)
}
