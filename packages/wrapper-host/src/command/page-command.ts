import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  commands,
  opensNothing,
  type PageCommandName,
} from '@service-link/protocol-core'
import type { PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { CommandWay } from '../web-app/page/messages.ts'
import { PageGoneError } from '../web-app/read-page.ts'
import type { FocusChange, SerialLane, SessionTies } from './admission.ts'

/** What all commands of a wrapper share. */
export interface Surroundings {
  readonly opened: Promise<HostedWindow>
  readonly timeoutMs: number
  readonly lane: SerialLane
  /** Commands on their way to the lane. Each waits here for the sign-in. */
  readonly arrivals: SerialLane
  readonly ties: SessionTies
  /** Gets each command that the web app has carried out, and returns what the caller gets. */
  readonly onCarriedOut: (
    command: PageCommand,
    result: CommandResult<PageCommandName>,
  ) => CommandResult<PageCommandName>
}

export function isForPage(command: Command): command is PageCommand {
  return commands[command.name].target === 'page' && !opensNothing(command)
}

/**
 * Has the page carry out a command. If nobody waits any more, the page is told to stop. Settles when the page has answered or gone,
 * or at the time limit.
 *
 * @param session of the user for whom it runs
 * @param wanted as long as somebody waits for it
 * @param via how it came
 */
export async function runOnPage(
  { bridge, window }: HostedWindow,
  command: PageCommand,
  session: AbortSignal,
  wanted: AbortSignal,
  { timeoutMs, onCarriedOut }: Surroundings,
  via: CommandWay | undefined,
): Promise<CommandResult<CommandName>> {
  const result = await bridge.run(command, timeoutMs, wanted, via)
  if (session.aborted) return result
  const told = onCarriedOut(command, result)
  if (commands[command.name].raisesWindow && !wanted.aborted) await window.show()
  return told
}

/** What a command changes of the focus; `undefined` for most. */
export function focusOf(command: Command): FocusChange | undefined {
  if (command.name === 'signout') return { isEnd: true }
  if (command.name !== 'selectperson' && command.name !== 'clearperson') return undefined
  const { userId, customId } = command.args
  return { userId, customId, isEnd: command.name === 'clearperson' }
}

/** Limit for commands of a launch: one that crashes the page must not do so for ever. */
const maxAttempts = 3

/** Asks the next page if one goes away before its answer. */
export async function askPages<Answer>(
  opened: HostedWindow,
  ask: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === maxAttempts || !(await isWorthAnother(error, opened))) throw error
      signal.throwIfAborted()
    }
  }
}

/** Whether the page was not there to answer. A page that answers, or is merely slow, is not asked again. */
async function isWorthAnother(error: unknown, opened: HostedWindow): Promise<boolean> {
  if (error instanceof PageGoneError) return true
  return error instanceof CommandTimeoutError && opened.checkPage()
}
