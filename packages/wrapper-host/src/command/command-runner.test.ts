import {
  type Command,
  type CommandName,
  type CommandResult,
  CommandTimeoutError,
  WebAppError,
} from '@service-link/protocol-core'
import type { EngineWindow } from '@service-link/window-engine'
import { describe, expect, test } from 'vitest'
import type { Bridge, PageCommand } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { PageGoneError } from '../web-app/read-page.ts'
import type { SessionWindow } from '../window/keep-window.ts'
import { CommandRunner } from './command-runner.ts'

/** A window and a bridge that record their calls, with a sign-in controlled by the test. */
function recording(isSignedIn = true, answer = async () => {}, show = async () => {}) {
  const log: string[] = []
  const shown = Promise.withResolvers<void>()
  let isIn = isSignedIn
  const window: Pick<SessionWindow, 'show' | 'hide'> = {
    async show() {
      log.push('window shown')
      shown.resolve()
      await show()
    },
    hide: async () => void log.push('window hidden'),
  }
  const bridge: Pick<Bridge, 'state' | 'run' | 'on'> = {
    get state() {
      return { isLoaded: true, isSignedIn: isIn }
    },
    on: () => () => undefined,
    async run<Name extends CommandName>(command: PageCommand) {
      log.push(command.name)
      await answer()
      return undefined as CommandResult<Name>
    },
  }
  const listeners = new Set<(event: { readonly isSignedIn: boolean }) => void>()
  const signIn: Pick<HostedWindow['signIn'], 'isSignedIn' | 'on'> = {
    get isSignedIn() {
      return isIn
    },
    on(_name, listener) {
      listeners.add(listener as never)
      return () => void listeners.delete(listener as never)
    },
  }
  const change = (isSignedIn: boolean) => {
    isIn = isSignedIn
    for (const listener of [...listeners]) listener({ isSignedIn })
  }
  const checkPage = async () => false
  const signOn = async () => void log.push('signed on')
  const opened = Promise.resolve({ window, bridge, signIn, signOn, checkPage } as unknown as HostedWindow)
  const runner = (commandTimeoutMs = 30_000) =>
    new CommandRunner({
      opened,
      version: '3.0.0.0',
      commandTimeoutMs,
      requestClose: () => void log.push('close'),
    })
  return {
    log,
    runner,
    /** Resolves when the window was shown. */
    shown: shown.promise,
    signIn: () => change(true),
    signOut: () => change(false),
  }
}

const query: Command = { name: 'queryexercises', args: { text: 'squat' } }
const users: Command = { name: 'getlistofusers', args: { customId: undefined } }
const open: Command = { name: 'openworkout', args: { id: 1 } }

describe('CommandRunner', () => {
  test('[4.5-version] version is answered before the window is open', async () => {
    const runner = new CommandRunner({
      opened: new Promise(() => undefined),
      version: '3.1.4.1',
      requestClose: () => undefined,
    })
    expect(await runner.run({ name: 'version', args: {} })).toBe('3.1.4.1')
  })

  test('a command that takes too long fails with the limit, in whole milliseconds', async () => {
    const { runner } = recording(true, () => new Promise(() => undefined))
    await expect(runner(20.4).run(users)).rejects.toThrow('The web app did not answer within 20 ms.')
    expect(new CommandTimeoutError(29_951.704_688).message).toContain(' 29952 ms')
  })

  test('[4.5-hide] [4.5-show] window commands go to the window, signed in or not', async () => {
    const { log, runner } = recording(false)
    const running = runner()
    await running.run({ name: 'hide', args: {} })
    await running.run({ name: 'show', args: {} })
    expect(log).toEqual(['window hidden', 'window shown'])
  })

  test('a command that shows something to the user raises the window; a reading one does not', async () => {
    const { log, runner } = recording()
    const running = runner()
    await running.run(users)
    await running.run(open)
    expect(log).toEqual(['getlistofusers', 'openworkout', 'window shown'])
  })

  test('without a sign-in the window is shown and the command waits', async () => {
    const { log, runner, shown, signIn } = recording(false)
    const running = runner().run(users)
    await shown
    signIn()
    await running
    expect(log).toEqual(['window shown', 'getlistofusers'])
  })

  test('commands that raise the window keep their order, even when a later one skips the wait', async () => {
    const { log, runner, shown, signIn } = recording(false, undefined, () => showing.promise)
    const showing = Promise.withResolvers<void>()
    const running = runner()
    const first = running.run(query)
    await shown
    signIn()
    const second = running.run(open)
    // The second has all the time it needs.
    await running.run(users)
    showing.resolve()
    await Promise.all([first, second])
    const carriedOut = log.filter(entry => !entry.startsWith('window'))
    expect(carriedOut).toEqual(['getlistofusers', 'queryexercises', 'openworkout'])
  })

  test('without a sign-in within the limit: ERR_NOT_SIGNED_IN, even behind a waiting launch', async () => {
    const { runner } = recording(false)
    const running = runner(20)
    running.runLaunch({ commands: [query] }).catch(() => undefined)
    await expect(running.run(open)).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
    running.close()
  })

  test('a launch is one piece: no pipe command interrupts it', async () => {
    const { log, runner } = recording()
    const running = runner()
    await Promise.all([running.runLaunch({ commands: [query, open] }), running.run(open)])
    expect(log.filter(entry => entry !== 'window shown')).toEqual([
      'queryexercises',
      'openworkout',
      'openworkout',
    ])
  })

  test.each<[string, () => Error, boolean, readonly string[]]>([
    ['went away: again', () => new PageGoneError('gone'), false, ['run', 'run']],
    ['hung and was restarted: again', () => new CommandTimeoutError(1), true, ['run', 'run']],
    ['is merely slow: not again', () => new CommandTimeoutError(1), false, ['run']],
    ['refuses: not again', () => new WebAppError('no'), true, ['run']],
  ])('a launch’s command whose page %s', async (_title, fail, isRestarted, expected) => {
    const log: string[] = []
    const bridge: Pick<Bridge, 'state' | 'run'> = {
      state: { isLoaded: true, isSignedIn: true },
      async run<Name extends CommandName>() {
        log.push('run')
        if (log.length === 1) throw fail()
        return undefined as CommandResult<Name>
      },
    }
    const window: Pick<EngineWindow, 'show'> = { show: async () => undefined }
    const signIn = { isSignedIn: true, on: () => () => undefined }
    const opened = {
      window,
      bridge: { ...bridge, on: signIn.on },
      signIn,
      checkPage: async () => isRestarted,
    } as unknown as HostedWindow
    const runner = new CommandRunner({
      opened: Promise.resolve(opened),
      version: '3.0.0.0',
      requestClose: () => undefined,
    })
    await runner.runLaunch({ commands: [open] }).catch(() => undefined)
    expect(log).toEqual(expected)
  })

  test('a launch with a payload stays at the former user’s sign-out, like those behind it', async () => {
    const { log, runner, signIn, signOut } = recording()
    const running = runner()
    const answered = Promise.withResolvers<void>()
    const signingOn = running.runLaunch({ commands: [open], payload: 'a.b.c' }, answered.promise)
    const behind = running.runLaunch({ commands: [query] })
    await running.run(users)
    signOut()
    signIn()
    answered.resolve()
    await Promise.all([signingOn, behind])
    expect(log.filter(entry => !entry.startsWith('window'))).toEqual([
      'getlistofusers',
      'signed on',
      'openworkout',
      'queryexercises',
    ])
  })

  test('a launch that waits for the first sign-in does not run for the second', async () => {
    const { log, runner, shown, signIn, signOut } = recording(false)
    const running = runner()
    const answered = Promise.withResolvers<void>()
    running.runLaunch({ commands: [query] }, answered.promise).catch(() => undefined)
    const launch = running.runLaunch({ commands: [open] })
    const command = running.run(open)
    const rejection = expect(command).rejects.toMatchObject({ code: 'ERR_NOT_SIGNED_IN' })
    await shown
    signIn()
    signOut()
    await expect(launch).rejects.toMatchObject({ code: 'ERR_SIGNED_OUT' })
    await rejection
    answered.resolve()
    signIn()
    expect(await running.run(users)).toBeUndefined()
    expect(log).not.toContain('openworkout')
  })

  test('a launch without commands shows the window', async () => {
    const { log, runner } = recording()
    await runner().runLaunch({ commands: [] })
    expect(log).toEqual(['window shown'])
  })
})
