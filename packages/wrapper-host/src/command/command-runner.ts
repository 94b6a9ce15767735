import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
  opensNothing,
  type PageCommandName,
} from '@service-link/protocol-core'
import { Deadline, maxTimerMs, waitFor } from '@service-link/protocol-core/time'
import type { PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { SerialLane, SessionTies } from './admission.ts'
import { type CommandRun, commandRun, runForClient } from './client-command.ts'
import { launches, type RunnableLaunch, runLaunch } from './launch-commands.ts'
import { focusOf, isForPage, type Surroundings } from './page-command.ts'

/** A command that the wrapper carries out at once, without window and web app. An `openworkout` is one if it opens nothing. */
type OwnCommand = Extract<Command, { name: 'version' | 'close' | 'log' | 'openworkout' }>

export function isOwnCommand(command: Command): command is OwnCommand {
  return commands[command.name].target === 'wrapper' || opensNothing(command)
}

/** Whether a command ends the focus on a person, or the session. */
function isEnd(command: Command): boolean {
  return focusOf(command)?.isEnd === true
}

type WindowCommand = Exclude<Command, PageCommand | OwnCommand>

/** How the wrapper is to exit. */
export interface CloseRequest {
  readonly signsOut: boolean
  /** Whether the user is told of a new version, and unsaved work is waited for. */
  readonly isForUpdate: boolean
}

interface CommandRunnerOptions {
  /** Settles when the window is open; commands wait for it. */
  readonly opened: Promise<HostedWindow>
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Gets each command that the web app has carried out, and returns what its caller gets. Default: the result. */
  onCarriedOut?(command: PageCommand, result: CommandResult<PageCommandName>): CommandResult<PageCommandName>
  /** Begins to exit the wrapper. Returns at once, so that the command can still be answered. */
  requestClose(how: CloseRequest): void
  /** Writes everything to the log until the wrapper exits. */
  writeDebugLog?(): void
  /** Longest wait for a sign-in, and for the web app to answer one command, in milliseconds. Default 30,000. */
  readonly commandTimeoutMs?: number
}

interface CommandRunOptions {
  /** Gives up the command: the answer rejects at once with the reason. The page is told to stop its work. */
  readonly signal?: AbortSignal | undefined
  /** Any object that stands for the client. Commands of one client keep their order. Default: a client of its own. */
  readonly client?: object | undefined
  /** The command keeps its place among the others, and is not begun before. Default: nothing to wait for. */
  readonly after?: Promise<void> | undefined
}

/** Carries out all commands, of launches and of pipe clients. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions
  readonly #surroundings: Surroundings
  #hosted: HostedWindow | undefined

  constructor(options: CommandRunnerOptions) {
    const ties = new SessionTies()
    this.#options = options
    this.#surroundings = {
      opened: options.opened,
      timeoutMs: Math.min(options.commandTimeoutMs ?? 30_000, maxTimerMs),
      lane: new SerialLane(),
      arrivals: new SerialLane(),
      ties,
      onCarriedOut: (command, result) => options.onCarriedOut?.(command, result) ?? result,
    }
    void options.opened.then(hosted => {
      this.#hosted = hosted
      ties.follow(hosted.signIn)
    })
  }

  run(command: Command, signal?: AbortSignal): Promise<CommandResult<CommandName>> {
    return this.begin(command, { signal }).answer
  }

  /**
   * Carries out one command of a pipe client. It waits for the web app and, showing the window, for a sign-in, within the time
   * limit.
   *
   * A command that changes the view waits for its turn, and keeps the turn while the page works for it, also after it is given up:
   * until the page has stopped. A page that does not stop, and has used the whole time limit of a command, may go on beside the next.
   * A command whose turn does not come within the limit is not begun. Clients take turns, and all launches together are one client. A launch that
   * signs an employee on keeps its place among the commands of all clients, but goes before one that waits for a sign-in.
   *
   * A command fails if its user signs out before the answer. It is not begun for the next user; if it was begun, it may have had an
   * effect.
   */
  begin(command: Command, { signal, client = {}, after }: CommandRunOptions = {}): CommandRun {
    try {
      if (isOwnCommand(command)) return commandRun(Promise.resolve(this.runOwn(command)), () => undefined)
      this.throwIfClosing()
    } catch (error) {
      return commandRun(Promise.reject(error), () => undefined)
    }
    if (isForPage(command)) return runForClient(command, { client, signal, after }, this.#surroundings)
    return this.#runOnWindow(command, { signal, after })
  }

  runOwn(command: OwnCommand): string | undefined {
    this.throwIfClosing()
    if (command.name === 'version') return this.#options.version
    if (command.name === 'log') this.#options.writeDebugLog?.()
    else if (command.name === 'close') {
      const { signout = true, forUpdate = false } = command.args
      this.#options.requestClose({ signsOut: signout, isForUpdate: forUpdate })
    }
    return undefined
  }

  #runOnWindow(command: WindowCommand, { signal, after }: CommandRunOptions): CommandRun {
    const { opened, timeoutMs, lane, ties } = this.#surroundings
    if (command.name === 'signout') ties.signOut()
    let work: Promise<unknown> | undefined
    const answer = async () => {
      const given = signal ? AbortSignal.any([lane.signal, signal]) : lane.signal
      using limit = new Deadline(timeoutMs, given).limit(() => new CommandTimeoutError(timeoutMs))
      if (after) await waitFor(after, limit.signal)
      // Without a wait: what comes behind a sign-out is for the next user.
      const hosted = this.#hosted ?? (await waitFor(opened, limit.signal))
      limit.signal.throwIfAborted()
      work = command.name === 'signout' ? hosted.signOut('pipe') : hosted.window[command.name]()
      await waitFor(work, limit.signal)
      return undefined
    }
    return commandRun(answer(), () => work)
  }

  /**
   * Carries out one launch as one piece: signs on with its payload, gives its parameters, then runs its commands. Waits for web app
   * and sign-in without limit. A launch without commands waits for a page for the time limit only. If the page goes away before an
   * answer, the next page gets the command: all commands of launches can be repeated.
   *
   * A launch is for one user only: for the signed-in one when it is taken; else for the first who signs in; with a payload, for
   * its own employee. It fails if that user signs out before. While it waits for a sign-in, launches with a payload go first.
   *
   * @returns number of the focus on the person that it has selected
   */
  runLaunch(launch: RunnableLaunch, answered?: Promise<void>): Promise<number | undefined> {
    const [first, ...others] = launch.commands
    // It is for whoever is signed in or in focus, and waits for nobody.
    if (first && isEnd(first) && others.length === 0 && launch.payload === undefined)
      return this.#runEnd(first, answered)
    return runLaunch(launch, answered, (command, signal) => this.run(command, signal), this.#surroundings)
  }

  async #runEnd(command: Command, answered: Promise<void> | undefined): Promise<undefined> {
    await this.begin(command, { client: launches, after: answered }).answer
    return undefined
  }

  throwIfClosing(): void {
    this.#surroundings.lane.signal.throwIfAborted()
  }

  /** Begins no further work. Waiting commands fail with {@link ClosingError}. */
  close(): void {
    const { lane, ties } = this.#surroundings
    lane.close()
    ties.close(lane.signal.reason)
  }
}
