import {
  CancelledError,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
  NotSignedInError,
} from '@service-link/protocol-core'
import { Deadline, waitFor } from '@service-link/protocol-core/time'
import type { PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { isSignedIn, untilPage } from './admission.ts'
import { focusOf, runOnPage, type Surroundings } from './page-command.ts'

/** A command of a pipe client at work. */
export interface CommandRun {
  /** Result; rejects at once when the command is given up. The caller must handle the rejection. */
  readonly answer: Promise<CommandResult<CommandName>>
  /**
   * Resolves when no work is left: the page has answered, has gone, or has had the command's time limit. Not before {@link answer}
   * settles; never rejects.
   */
  readonly ended: Promise<void>
}

/** Joins an answer and the work that goes on behind it, if any has begun by then. */
export function commandRun(
  answer: Promise<CommandResult<CommandName>>,
  workOf: () => Promise<unknown> | undefined,
): CommandRun {
  const ended = async () => void (await workOf()?.catch(() => undefined))
  return { answer, ended: answer.then(ended, ended) }
}

interface ClientRunOptions {
  readonly client: object
  readonly signal: AbortSignal | undefined
  readonly after: Promise<void> | undefined
}

/** Runs a command of a client on the page: waits for the window, the sign-in and the client's turn, all within one limit. */
export function runForClient(
  command: PageCommand,
  { client, signal, after }: ClientRunOptions,
  surroundings: Surroundings,
): CommandRun {
  const { timeoutMs, lane, arrivals, ties } = surroundings
  let page: HostedWindow | undefined
  let running: Promise<CommandResult<CommandName>> | undefined
  const late = () => {
    if (running) return new CommandTimeoutError(timeoutMs)
    if (!page?.bridge.state.isLoaded) return pageTimeout(timeoutMs)
    return isSignedIn(page) ? turnTimeout(timeoutMs) : new NotSignedInError()
  }
  const signedOut = () =>
    running
      ? new CancelledError(
          'The user of the web app has signed out before it answered. Whether the command had an effect is not known.',
        )
      : new NotSignedInError()
  // A person is cleared already where nobody is signed in, and where the page has drawn a later choice. But a sign-on under way may
  // bring one.
  const cleared = command.name === 'clearperson' ? new NotSignedInError() : undefined
  const reason = cleared ? () => cleared : signedOut
  const tie = ties.add({ isSigningOn: false, reason, focus: focusOf(command) })
  const deadline = new Deadline(timeoutMs, signal)
  const limit = deadline.limit(late, tie.signal)

  const untilReady = async (opened: HostedWindow) => {
    if (isSignedIn(opened)) return
    if (!cleared) await waitFor(opened.window.show(), limit.signal)
    await untilPage(opened, () => isSignedIn(opened), limit.signal)
  }
  const work = async (opened: HostedWindow) => {
    limit.signal.throwIfAborted()
    // Timers are late on a busy machine.
    if (deadline.isOver) throw late()
    tie.begun()
    running = runOnPage(opened, command, tie.signal, limit.signal, surroundings, 'pipe')
    // The choice of a caller who has given up does not keep an earlier end from clearing whom it has brought.
    if (command.name === 'selectperson')
      running.then(
        () => limit.signal.aborted || tie.drawn(),
        () => undefined,
      )
    running.catch(error => error instanceof CommandTimeoutError && opened.checkPage())
    return running
  }
  const inTurn = async (opened: HostedWindow) => {
    const turn = { client, signal: limit.signal }
    const ready = untilReady(opened)
    ready.catch(() => undefined)
    // Commands that change the view keep their order, also if they all wait for a sign-in.
    await arrivals.add(() => ready, turn)
    const workInTurn = async () => {
      // The page may have gone while this waited for its turn.
      await lane.lend(
        () => isSignedIn(opened),
        () => untilReady(opened),
      )
      return work(opened)
    }
    return lane.add(workInTurn, turn)
  }
  const answer = async () => {
    try {
      if (after) await waitFor(after, limit.signal)
      page = await waitFor(surroundings.opened, limit.signal)
      if (cleared && !page.signIn.isSignedIn && !ties.isSigningOn && !page.signIn.isExpected) return undefined
      const { raisesWindow, changesFocus } = commands[command.name]
      if (raisesWindow || changesFocus) return await inTurn(page)
      await untilReady(page)
      return await waitFor(work(page), limit.signal)
    } catch (error) {
      const isNobodyThere = !running && error instanceof NotSignedInError && !page?.signIn.isExpected
      if (cleared && (error === cleared || isNobodyThere)) return undefined
      throw error
    } finally {
      limit[Symbol.dispose]()
      // The page may work longer than the client waits.
      const end = () => tie[Symbol.dispose]()
      if (running) running.then(end, end)
      else end()
    }
  }
  return commandRun(answer(), () => running)
}

function pageTimeout(timeoutMs: number): CommandTimeoutError {
  const sentence = `The web app has not connected to the wrapper within ${Math.round(timeoutMs)} ms: it is loading, or does not call connectHost. Nothing was done.`
  return new CommandTimeoutError(timeoutMs, sentence)
}

function turnTimeout(timeoutMs: number): CommandTimeoutError {
  const sentence = `The command waited for its turn, behind others, for ${Math.round(timeoutMs)} ms. Nothing was done.`
  return new CommandTimeoutError(timeoutMs, sentence)
}
