import { describe, expect, test, vi } from 'vitest'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { Bridge, type PageCommand } from '../../src/web-app/bridge.ts'
import { connectPort, type Host } from '../../src/web-app/page/connect-host.ts'
import {
  bridgeProtocol,
  HostCallError,
  type HostHandlers,
  type HostPort,
  type PageMessage,
} from '../../src/web-app/page/messages.ts'
import { pageScript } from '../../src/web-app/page-script.ts'
import { openingOf } from '../support/opening.ts'

const soon = { timeout: 60_000 }
const timeoutMs = 30_000
const info = { version: '3.0.0.0', distributorName: 'Acme', launchParameters: { tab: 'patients' } }
const open: PageCommand = { name: 'openworkout', args: { id: 1 } }
const never = () => new Promise<never>(() => undefined)

/** A window in memory whose documents connect with these handlers and sign in, and a bridge to it. */
async function bridged(handlers: HostHandlers) {
  const hosts: Host[] = []
  const ports: HostPort[] = []
  const errors: unknown[] = []
  const surroundings = {
    onReturn: () => undefined,
    reload: () => undefined,
    reportError: (error: unknown) => void errors.push(error),
  }
  const load = (port: HostPort) => {
    ports.push(port)
    const host = connectPort(port, handlers, surroundings)
    host.signedIn()
    hosts.push(host)
    return () => undefined
  }
  const world = { isOnline: true, load, answerPost: async () => 200 }
  const engine = createMemoryEngine(world, { isSignedIn: true })
  const url = 'https://app.example/'
  await engine.open({ ...openingOf(url), pageScript: pageScript(), allowedOrigins: [url] })
  const { window } = engine
  if (!window) throw new Error('There is no window.')
  const bridge = new Bridge(window, { info })
  const untilSignedIn = () => vi.waitFor(() => expect(bridge.state.isSignedIn).toBe(true), soon)
  await untilSignedIn()
  const ofLast = <One>(list: readonly One[]): One => list.at(-1) as One
  return { window, bridge, errors, untilSignedIn, host: () => ofLast(hosts), port: () => ofLast(ports) }
}

describe('a command through the bridge', () => {
  test('reaches the page’s handler with its arguments unchanged, and returns the reply', async () => {
    const selectPerson = vi.fn(() => ({ status: 'created' as const, userId: 17, customId: 'å-1' }))
    const { bridge } = await bridged({ selectPerson })
    const person = {
      customId: 'å-1',
      firstname: 'Åse',
      lastname: 'O’Hara "😀"',
      profileData: [{ key: 'weight', own: [1, { a: null }] }],
    }
    const args = { ...person, userId: undefined }
    const reply = { status: 'created', userId: 17, customId: 'å-1' }
    expect(await bridge.run({ name: 'selectperson', args }, timeoutMs)).toEqual(reply)
    expect(selectPerson.mock.calls).toEqual([[person, expect.any(AbortSignal), undefined]])
  })

  test.each([
    ['a refusal', new HostCallError('ERR_NOT_FOUND', 'There is none.'), 'ERR_NOT_FOUND', 'There is none.'],
    [
      'one of another copy of the module',
      Object.assign(new Error('of another'), { name: 'HostCallError', code: 'ERR_NOT_FOUND', issues: [] }),
      'ERR_NOT_FOUND',
      'of another',
    ],
    [
      'an error of its own, without its words',
      new Error('Ola'),
      'ERR_WEB_APP',
      expect.not.stringMatching(/Ola/),
    ],
  ])('fails with %s', async (_title, error, code, message) => {
    const { bridge, errors } = await bridged({ openWorkout: () => Promise.reject(error) })
    await expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code, message })
    // The page's own error reporting gets the page's own errors.
    expect(errors).toEqual(code === 'ERR_WEB_APP' ? [error] : [])
  })

  test('fails when the web app lacks it, or answers with another shape, which is not repeated', async () => {
    const { bridge } = await bridged({ getListOfUsers: () => [{ id: 'Nordmann' as never }] })
    const lacking = expect.stringContaining('openworkout')
    await expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code: 'ERR_WEB_APP', message: lacking })
    const list = bridge.run({ name: 'getlistofusers', args: { customId: undefined } }, timeoutMs)
    await expect(list).rejects.toMatchObject({
      code: 'ERR_WEB_APP',
      message: expect.stringMatching(/^((?!Nordmann).)*0\.id((?!Nordmann).)*$/),
    })
  })

  test('fails after its time, while others run: the page answers in any order', async () => {
    const { bridge } = await bridged({ openWorkout: never, queryExercises: () => undefined })
    const hanging = expect(bridge.run(open, 100)).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      waitedMs: 100,
    })
    expect(await bridge.run({ name: 'queryexercises', args: { text: 'a' } }, timeoutMs)).toBeUndefined()
    await hanging
  })

  test('what a user had not saved is for that user’s session alone', async () => {
    const { window, bridge } = await bridged({ restoreUnsaved: () => undefined })
    const call = vi.spyOn(window, 'call')
    await bridge.ask('restoreUnsaved', { value: 'typed' }, timeoutMs)
    expect(call.mock.lastCall?.[0]).toMatchObject({ handler: 'restoreUnsaved', session: 1 })
  })

  test.each(['has had its time', 'is given up'])(
    'that %s stops its handler, whose error is nobody’s',
    async why => {
      const stopped = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const { bridge, errors } = await bridged({
        openWorkout(_workout, signal) {
          begun.resolve()
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(signal.reason)
              stopped.resolve()
            })
          })
        },
      })
      const wanted = new AbortController()
      const running = bridge.run(open, why === 'is given up' ? timeoutMs : 20, wanted.signal)
      running.catch(() => undefined)
      await begun.promise
      if (why === 'is given up') wanted.abort()
      await stopped.promise
      // The handler has ended, so the wait has, too.
      await expect(running).rejects.toMatchObject({
        code: why === 'is given up' ? 'ERR_WEB_APP' : 'ERR_TIMEOUT',
      })
      expect(errors).toEqual([])
    },
  )

  test('fails when the bridge or its window closes, like later ones', async () => {
    for (const close of ['bridge', 'window'] as const) {
      const { window, bridge } = await bridged({ openWorkout: never })
      const failed = expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code: 'ERR_CLOSING' })
      if (close === 'bridge') bridge[Symbol.dispose]()
      else await window.close()
      await failed
      await expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code: 'ERR_CLOSING' })
      expect(bridge.state).toEqual({ isLoaded: false, isSignedIn: false })
    }
  })

  test.each(['reload', 'crash'] as const)('fails at a page’s %s, and works in the next page', async end => {
    let isSilent = true
    const { window, bridge, untilSignedIn } = await bridged({
      openWorkout: () => (isSilent ? never() : undefined),
    })
    const states: unknown[] = []
    bridge.on('stateChanged', state => states.push(state))
    const failed = expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
    window[end]()
    await failed
    expect(states[0]).toEqual({ isLoaded: false, isSignedIn: false })
    if (end === 'crash') {
      await expect(bridge.run(open, timeoutMs)).rejects.toMatchObject({ code: 'ERR_WEB_APP' })
      window.reload()
    }
    await untilSignedIn()
    isSilent = false
    expect(await bridge.run(open, timeoutMs)).toBeUndefined()
  })
})

describe('the bridge', () => {
  test('tells the page of the wrapper, and what the page reports', async () => {
    const { bridge, host } = await bridged({})
    expect(host().isHosted).toBe(true)
    expect(await host().info).toEqual(info)
    const told = vi.fn()
    bridge.on('signedOut', told)
    const person = { customId: 'a-1', firstname: 'Kari' }
    host().personSelected(person)
    expect(bridge.state).toEqual({ isLoaded: true, isSignedIn: true, personInFocus: person })
    host().signedOut()
    expect(bridge.state).toEqual({ isLoaded: true, isSignedIn: false })
    expect(told.mock.calls).toEqual([[{}]])
  })

  test('ignores the person whom a page puts in focus for a user who has signed out since', async () => {
    const chosen = Promise.withResolvers<void>()
    const { bridge, host } = await bridged({
      async selectPerson(person) {
        await chosen.promise
        host().personSelected(person)
        return { status: 'selected', userId: 17, customId: '' }
      },
    })
    const person = { customId: 'a-1', firstname: 'Kari', lastname: 'Nordmann' }
    const selecting = bridge.run({ name: 'selectperson', args: { ...person, userId: undefined } }, timeoutMs)
    host().signedOut()
    host().signedIn()
    chosen.resolve()
    await selecting
    expect(bridge.state.personInFocus).toBeUndefined()
    host().personSelected(person)
    expect(bridge.state.personInFocus).toEqual(person)
  })

  test('may begin after the page has connected', async () => {
    const { window } = await bridged({})
    const later = new Bridge(window, { info })
    await vi.waitFor(() => expect(later.state).toEqual({ isLoaded: true, isSignedIn: true }), soon)
  })

  test('lets a document connect once', async () => {
    const { port } = await bridged({})
    expect(() => port().connect(() => undefined)).toThrow('connected')
  })
})

test('the next user’s choice counts while the page still works for the former user', async () => {
  const { bridge, host } = await bridged({ selectPerson: never })
  const left = bridge.run({ name: 'selectperson', args: { customId: 'A' } }, timeoutMs).catch(() => undefined)
  host().signedOut()
  host().signedIn()
  host().personSelected({ customId: 'A', userId: 1 })
  expect(bridge.state.personInFocus).toBeUndefined()
  host().personSelected({ customId: 'B', userId: 2 })
  expect(bridge.state.personInFocus).toMatchObject({ customId: 'B' })
  bridge[Symbol.dispose]()
  await left
})

test('a page from the browser’s cache reloads, and says nothing of its former user', () => {
  const sent: PageMessage[] = []
  let comeBack: () => void = () => undefined
  let reloads = 0
  const host = connectPort(
    { protocol: bridgeProtocol, send: message => void sent.push(message), connect: () => undefined },
    {},
    {
      onReturn(listener) {
        comeBack = listener
      },
      reload: () => void reloads++,
      reportError: () => undefined,
    },
  )
  host.signedIn()
  const said = sent.length
  comeBack()
  expect(reloads).toBe(1)
  expect(sent).toHaveLength(said)
})

test('a page says by its handler whether it has unsaved work', async () => {
  let isDirty = true
  const { bridge } = await bridged({ hasUnsavedWork: () => isDirty })
  expect(await bridge.hasUnsavedWork()).toBe(true)
  isDirty = false
  expect(await bridge.hasUnsavedWork()).toBe(false)
})
