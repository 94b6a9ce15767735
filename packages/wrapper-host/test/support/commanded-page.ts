import type { CommandName, CommandResult } from '@service-link/protocol-core'
import { EventListeners } from '@service-link/window-engine'
import { CommandRunner } from '../../src/command/command-runner.ts'
import type { Bridge, PageCommand } from '../../src/web-app/bridge.ts'
import type { HostedWindow } from '../../src/web-app/open-web-app.ts'

/** One command in the page, answered by the test. */
export interface PageCall {
  readonly command: PageCommand
  readonly timeoutMs: number
  answer(result?: CommandResult<CommandName>): void
  fail(error: Error): void
}

/** Options of {@link commandPage}. */
export interface CommandPageOptions {
  readonly isSignedIn?: boolean
  readonly commandTimeoutMs?: number
  /** Whether the page answers each command at once. Default false: the test does. */
  readonly isAnswering?: boolean
  /** Whether a page that is checked had hung and was restarted. Default false. */
  readonly isRestarted?: boolean
  /** Called when the window is shown. */
  show?(): Promise<void>
  /** Whether the page of a log-in belongs to the web app. Default true. */
  readonly hasOwnLogIn?: boolean
  /** Signs an employee on with a payload. Default: does nothing. */
  signOn?(payload: string): Promise<void>
  /** Whether a payload's employee has not signed in yet. Default false. */
  readonly isExpected?: boolean
}

/** A runner with its page: the page's commands, answered by the test. */
export function commandPage({
  isSignedIn: isSignedInFirst = true,
  commandTimeoutMs,
  isAnswering = false,
  isRestarted = false,
  show = async () => undefined,
  hasOwnLogIn = true,
  signOn: signOnAs = async () => undefined,
  isExpected = false,
}: CommandPageOptions = {}) {
  const calls: PageCall[] = []
  const log: string[] = []
  const carriedOut: PageCommand[] = []
  let isSignedIn = isSignedInFirst
  const changes = new EventListeners<{ changed: { readonly isSignedIn: boolean } }>()
  const bridge: Pick<Bridge, 'state' | 'run' | 'on' | 'ask'> = {
    get state() {
      return { isLoaded: hasOwnLogIn || isSignedIn, isSignedIn }
    },
    on: () => () => undefined,
    ask: async () => ({}),
    run<Name extends PageCommand['name']>(command: PageCommand, timeoutMs: number) {
      const { promise, resolve, reject } = Promise.withResolvers<CommandResult<Name>>()
      log.push(`begin ${describe(command)}`)
      calls.push({
        command,
        timeoutMs,
        answer(result) {
          log.push(`end ${describe(command)}`)
          resolve(result as CommandResult<Name>)
        },
        fail: reject,
      })
      if (isAnswering) calls.at(-1)?.answer()
      return promise
    },
  }
  const signIn: Pick<HostedWindow['signIn'], 'isSignedIn' | 'isExpected' | 'on'> = {
    isExpected,
    get isSignedIn() {
      return isSignedIn
    },
    on: changes.on.bind(changes) as HostedWindow['signIn']['on'],
  }
  let showCount = 0
  let hideCount = 0
  let checkCount = 0
  const checkPage = async () => {
    checkCount++
    return isRestarted
  }
  const signOn = async (payload: string) => {
    await signOnAs(payload)
    log.push('signed on')
    return true
  }
  const window = {
    show() {
      showCount++
      return show()
    },
    hide: async () => void hideCount++,
  }
  const signOut = async () => void log.push('signed out')
  const opened = { window, bridge, signIn, signOn, signOut, checkPage } as unknown as HostedWindow
  const runner = new CommandRunner({
    opened: Promise.resolve(opened),
    version: '3.0.0.0',
    ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
    onCarriedOut(command, result) {
      carriedOut.push(command)
      return result
    },
    requestClose: () => undefined,
  })
  return {
    runner,
    /** The page's commands, in order. */
    calls,
    /** Beginnings and ends in the page, as `begin openworkout 1`. */
    log,
    carriedOut,
    /** Number of times the window was raised. */
    shows: () => showCount,
    hides: () => hideCount,
    /** Number of checks of the page. */
    checkCount: () => checkCount,
    setSignedIn(is: boolean) {
      isSignedIn = is
      changes.emit('changed', { isSignedIn })
    },
  }
}

/** Whether a promise settles with all work that is ready. */
export async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  const over = () => {
    is = true
  }
  promise.then(over, over)
  await new Promise(resolve => setImmediate(resolve))
  return is
}

function describe({ name, args }: PageCommand): string {
  return 'id' in args ? `${name} ${args.id}` : name
}
