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
  /** Whether the page of a log-in belongs to the web app. Default true. */
  readonly hasOwnLogIn?: boolean
  /** Signs an employee on with a payload. Default: does nothing. */
  signOn?(payload: string): Promise<void>
}

/** A runner with its page: the page's commands, answered by the test. */
export function commandPage({
  isSignedIn: isSignedInFirst = true,
  commandTimeoutMs,
  hasOwnLogIn = true,
  signOn: signOnAs = async () => undefined,
}: CommandPageOptions = {}) {
  const calls: PageCall[] = []
  const log: string[] = []
  const carriedOut: PageCommand[] = []
  let isSignedIn = isSignedInFirst
  const changes = new EventListeners<{ changed: { readonly isSignedIn: boolean } }>()
  const bridge: Pick<Bridge, 'state' | 'run' | 'on' | 'giveLaunchParameters'> = {
    get state() {
      return { isLoaded: hasOwnLogIn || isSignedIn, isSignedIn }
    },
    on: () => () => undefined,
    giveLaunchParameters: async () => true,
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
      return promise
    },
  }
  const signIn: Pick<HostedWindow['signIn'], 'isSignedIn' | 'on'> = {
    get isSignedIn() {
      return isSignedIn
    },
    on: changes.on.bind(changes) as HostedWindow['signIn']['on'],
  }
  let showCount = 0
  let checkCount = 0
  const checkPage = async () => {
    checkCount++
    return false
  }
  const signOn = async (payload: string) => {
    await signOnAs(payload)
    log.push('signed on')
  }
  const window = { show: async () => void showCount++, minimise: async () => undefined }
  const opened = { window, bridge, signIn, signOn, checkPage } as unknown as HostedWindow
  const runner = new CommandRunner({
    opened: Promise.resolve(opened),
    version: '3.0.0.0',
    ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
    onCarriedOut: command => carriedOut.push(command),
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
