import { type Command, CommandTimeoutError } from '@service-link/protocol-core'
import { Deadline, waitFor } from '@service-link/protocol-core/time'
import type { PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import type { CommandWay, LaunchParameters } from '../web-app/page/messages.ts'
import { isSignedIn, type SessionTie, SignedOutError, untilPage } from './admission.ts'
import { askPages, focusOf, isForPage, runOnPage, type Surroundings } from './page-command.ts'

export interface RunnableLaunch {
  readonly commands: readonly Command[]
  readonly payload?: string | undefined
  readonly launchParameters?: LaunchParameters | undefined
  readonly via?: CommandWay | undefined
}

type WaitInTurn = (isThere: () => boolean, signal: AbortSignal) => Promise<void>

/** All launches together are one client. */
export const launches = {}

/** Carries out a launch in its turn: see `CommandRunner.runLaunch`. `runOther` takes its commands that are not for the page. */
export async function runLaunch(
  { commands: launch, payload, launchParameters, via }: RunnableLaunch,
  answered: Promise<void> | undefined,
  runOther: (command: Command, signal: AbortSignal) => Promise<unknown>,
  surroundings: Surroundings,
): Promise<number | undefined> {
  const { lane, ties } = surroundings
  const isSigningOn = payload !== undefined
  // A payload brings a person of its own. Its employee is needed also if another person is chosen behind it.
  if (isSigningOn) ties.supersede()
  const focus = launch.map(focusOf).find(Boolean)
  using tie = ties.add({ isSigningOn, reason: () => new SignedOutError(), focus })
  const { signal } = tie
  const work = async () => {
    if (answered) await waitFor(answered, signal)
    const opened = await waitFor(surroundings.opened, signal)
    if (payload !== undefined) {
      if (await opened.signOn(payload, signal)) tie.replaced()
    }
    const isForUser = launch.length === 0 || isSigningOn
    if (isForUser || !isSignedIn(opened)) await waitFor(opened.window.show(), signal)
    const wait = waitInTurn(opened, isSigningOn, surroundings)
    if (launchParameters)
      await giveParameters(opened, launchParameters, signal, launch.some(isForPage), wait, surroundings)
    let focusNumber: number | undefined
    for (const command of launch) {
      if (!isForPage(command)) await runOther(command, signal)
      else {
        const number = await runOnNextPage(opened, command, tie, wait, surroundings, via)
        focusNumber ??= number
      }
    }
    return focusNumber
  }
  // Commands before a sign-on are for the former user, those behind it for its employee.
  return await lane.add(work, { client: launches, signal, isAlone: isSigningOn })
}

/**
 * Makes the wait of a launch for a page. A launch that signs in goes first meanwhile. If the one that waits has signed on itself,
 * its employee has been replaced: it is not carried out for another.
 */
function waitInTurn(opened: HostedWindow, isSigningOn: boolean, { lane }: Surroundings): WaitInTurn {
  let isReplaced = false
  return async (isThere, signal) => {
    const hasLent = await lane.lend(isThere, () => untilPage(opened, isThere, signal))
    isReplaced ||= hasLent && isSigningOn
    if (isReplaced) throw new SignedOutError()
  }
}

/** A page without the handler ignores the parameters. No launch fails for them. */
async function giveParameters(
  opened: HostedWindow,
  parameters: LaunchParameters,
  signal: AbortSignal,
  isPatient: boolean,
  wait: WaitInTurn,
  { timeoutMs, lane }: Surroundings,
): Promise<void> {
  const { bridge } = opened
  using limit = new Deadline(timeoutMs, lane.signal).limit(() => new CommandTimeoutError(timeoutMs))
  const waiting = isPatient ? signal : limit.signal
  const give = async () => {
    await wait(() => bridge.state.isLoaded, waiting)
    await bridge.ask('launchParameters', parameters, timeoutMs)
  }
  await askPages(opened, give, signal).catch(() => signal.throwIfAborted())
}

function runOnNextPage(
  opened: HostedWindow,
  command: PageCommand,
  tie: SessionTie,
  wait: WaitInTurn,
  surroundings: Surroundings,
  via: CommandWay | undefined,
): Promise<number | undefined> {
  const { signal } = tie
  const run = async () => {
    await wait(() => isSignedIn(opened), signal)
    signal.throwIfAborted()
    tie.signedOn()
    const result = await runOnPage(opened, command, signal, signal, surroundings, via)
    if (command.name !== 'selectperson') return undefined
    tie.drawn()
    return Object(result).focusNumber
  }
  return askPages(opened, run, signal)
}
