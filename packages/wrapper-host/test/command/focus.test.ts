import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectWrapper, type WrapperEvent } from '@service-link/pipe-client'
import type { Person } from '@service-link/protocol-core'
import { describe, expect, test, vi } from 'vitest'
import { createMemoryWebApp, startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'
import { HostCallError } from '../../src/web-app/page/messages.ts'
import { request } from '../support/pipe.ts'

const soon = { timeout: 60_000 }
const byArguments = 'provider=Service.Desktop.Arguments.Component, Service.Desktop'
const kari = { customId: 'A', firstname: 'Kari', lastname: 'Nordmann' }
const ola = { customId: 'B', firstname: 'Ola', lastname: 'Ås' }
const argumentsOf = ({ customId, firstname, lastname }: typeof kari) => [
  byArguments,
  `id=${customId}`,
  `firstname=${firstname}`,
  `lastname=${lastname}`,
  'dateofbirth=1980-04-03',
]
const superseded = { commandCode: 'ERR_SUPERSEDED' }

/** A wrapper, its client, and the events of focus and session. */
async function desk(options: Parameters<typeof startTestWrapper>[0] = {}) {
  const wrapper = await startTestWrapper(options)
  const client = await connectWrapper({ userFolder: wrapper.folders.userFolder })
  const events: WrapperEvent[] = []
  const reading = (async () => {
    for await (const event of client.events()) events.push(event)
  })()
  await client.status()
  return {
    wrapper,
    client,
    events,
    async [Symbol.asyncDispose]() {
      await client.disconnect()
      await reading
      await wrapper.close()
    },
  }
}

/** A web app that draws a person when the test says so, or never if it is told to stop. */
function slowWebApp() {
  const begun: { readonly customId: string; readonly signal: AbortSignal; draw(): void }[] = []
  const selectPerson = ({ customId = '' }: Person, signal: AbortSignal) =>
    new Promise<{ status: 'selected'; userId: number; customId: string }>((resolve, reject) => {
      const draw = () => resolve({ status: 'selected', userId: customId.charCodeAt(0), customId })
      begun.push({ customId, signal, draw })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { begun, webApp: { ...createMemoryWebApp(), selectPerson } }
}

const calls = ({ calls }: TestWrapper, name: string) => calls.filter(({ handler }) => handler === name)

describe('a person is cleared', () => {
  test('by the client, in session mode', async () => {
    await using at = await desk()
    await at.client.selectPerson(kari)
    await at.client.clearPerson()
    expect(await at.client.status()).toEqual({ isLoaded: true, isSignedIn: true, focusNumber: 2 })
    await vi.waitFor(
      () => expect(at.events.at(-1)).toEqual({ type: 'personcleared', reason: 'journal', focusNumber: 2 }),
      soon,
    )
  })

  test.each([
    ['its customid', { customId: 'A' }, true],
    ['another customid', { customId: 'B' }, false],
    ['its userid, which decides', { customId: 'B', userId: 1 }, true],
    ['another userid', { customId: 'A', userId: 7 }, false],
  ])('by %s, only if it is that person', async (_title, ids, isCleared) => {
    const clearPerson = vi.fn()
    await using at = await desk({ webApp: { ...createMemoryWebApp(), clearPerson } })
    await at.client.selectPerson(kari)
    await at.client.clearPerson(ids)
    expect((await at.client.status()).person === undefined).toBe(isCleared)
    expect(clearPerson).toHaveBeenCalledTimes(isCleared ? 1 : 0)
  })

  test('by a customid that was set while the person was in focus', async () => {
    await using at = await desk()
    const { userId = 0 } = await at.client.selectPerson(kari)
    await at.client.setCustomId({ userId, customId: 'Z' })
    await at.client.clearPerson({ customId: 'A' })
    expect((await at.client.status()).person).toMatchObject({ customId: 'Z' })
    await at.client.clearPerson({ customId: 'Z' })
    expect((await at.client.status()).person).toBeUndefined()
  })

  test('in the classic mode, without a reply, and by a launch', async () => {
    await using at = await desk()
    const { wrapper, client } = at
    await client.selectPerson(kari)
    expect(await request(wrapper.pipeAddress, { Method: 'ClearPerson', Args: { CustomId: 'B' } })).toEqual([])
    expect((await client.status()).person).toMatchObject({ customId: 'A' })
    expect(await request(wrapper.pipeAddress, { Method: 'clearperson' })).toEqual([])
    expect((await client.status()).person).toBeUndefined()
    await client.selectPerson(kari)
    expect(await wrapper.launch('wait=true', 'clearperson=true', 'id=B')).toEqual({ status: 'completed' })
    expect((await client.status()).person).toMatchObject({ customId: 'A' })
    expect(await wrapper.launch('wait=true', 'clearperson=true')).toEqual({ status: 'completed' })
    expect((await client.status()).person).toBeUndefined()
  })

  test('at once, and without the window, while nobody is signed in; launches for that person fail', async () => {
    await using at = await desk({ isSignedIn: false })
    const { wrapper, client } = at
    await wrapper.launch(...argumentsOf(kari))
    await client.clearPerson({ customId: 'B' })
    expect(wrapper.notices).toEqual([])
    await client.clearPerson({ customId: 'A' })
    await vi.waitFor(() => expect(wrapper.notices.join()).toContain('(ERR_SUPERSEDED)'), soon)
    wrapper.signIn()
    await client.getListOfUsers()
    expect(calls(wrapper, 'selectPerson')).toEqual([])
  })

  test('not by a web app that cannot, which the caller is told', async () => {
    await using at = await desk({ webApp: { ...createMemoryWebApp(), clearPerson: undefined } })
    await at.client.selectPerson(kari)
    await expect(at.client.clearPerson()).rejects.toMatchObject({ commandCode: 'ERR_WEB_APP' })
    expect((await at.client.status()).person).toMatchObject({ customId: 'A' })
  })
})

describe('a user is signed out', () => {
  const ways: readonly [string, (at: Awaited<ReturnType<typeof desk>>) => Promise<unknown>][] = [
    ['by the client', ({ client }) => client.signOut()],
    ['in the classic mode', ({ wrapper }) => request(wrapper.pipeAddress, { Method: 'signout' })],
    ['by a launch', ({ wrapper }) => wrapper.launch('signout=true', 'wait=true')],
  ]
  test.each(ways)('%s; the wrapper stays, with its log-in page', async (_title, end) => {
    const signOut = vi.fn()
    await using at = await desk({ webApp: { ...createMemoryWebApp(), signOut } })
    const { client, wrapper, events } = at
    await client.selectPerson(kari)
    await end(at)
    expect(signOut).toHaveBeenCalledOnce()
    expect(await client.status()).toMatchObject({ isSignedIn: false, focusNumber: 2 })
    expect((await client.status()).person).toBeUndefined()
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'signedout', reason: 'journal' }), soon)
    const next = client.selectPerson(ola)
    wrapper.signIn()
    expect(await next).toMatchObject({ customId: 'B', focusNumber: 3 })
  })

  test('what is sent right behind is for the next user', async () => {
    await using at = await desk()
    const ending = at.client.signOut()
    const next = at.client.selectPerson(kari)
    await ending
    at.wrapper.signIn()
    expect(await next).toMatchObject({ customId: 'A' })
  })

  test('what waits or is not drawn fails, and is not done for the next user', async () => {
    const { begun, webApp } = slowWebApp()
    await using at = await desk({ webApp })
    const selecting = expect(at.client.selectPerson(kari)).rejects.toMatchObject(superseded)
    await vi.waitFor(() => expect(begun).toHaveLength(1), soon)
    await at.client.signOut()
    await selecting
    at.wrapper.signIn()
    await at.client.getListOfUsers()
    expect(begun).toHaveLength(1)
  })
})

test('a page that loads anew is still asked for what is not saved', async () => {
  const signOut = vi.fn()
  await using at = await desk({ webApp: { ...createMemoryWebApp(), signOut } })
  const { wrapper, client } = at
  wrapper.goOffline()
  wrapper.window.reload()
  const ending = client.signOut()
  await vi.waitFor(async () => expect((await client.status()).isSignedIn).toBe(false), soon)
  wrapper.goOnline()
  wrapper.window.reload()
  await ending
  expect(signOut).toHaveBeenCalledOnce()
})

test('what a user had not saved comes back to that user alone, once', async () => {
  const restoreUnsaved = vi.fn()
  const signOut = vi.fn(() => ({ unsaved: { user: 'ada', value: { note: 'typed' } } }))
  await using at = await desk({ webApp: { ...createMemoryWebApp(), signOut, restoreUnsaved } })
  const { wrapper, client } = at
  await client.signOut()
  expect(signOut).toHaveBeenCalledExactlyOnceWith({ reason: 'journal' })
  wrapper.signIn('bob')
  await client.getListOfUsers()
  wrapper.signOut()
  await vi.waitFor(async () => expect((await client.status()).isSignedIn).toBe(false), soon)
  expect(restoreUnsaved).not.toHaveBeenCalled()
  wrapper.signIn('ada')
  await vi.waitFor(() => expect(restoreUnsaved).toHaveBeenCalledOnce(), soon)
  expect(restoreUnsaved.mock.lastCall?.[0]).toEqual({ value: { note: 'typed' } })
  wrapper.signOut()
  await vi.waitFor(async () => expect((await client.status()).isSignedIn).toBe(false), soon)
  wrapper.signIn('ada')
  await client.getListOfUsers()
  expect(restoreUnsaved).toHaveBeenCalledOnce()
})

test.for<readonly [string, unknown, boolean]>([
  ['no value', { unsaved: { user: 'ada' } }, false],
  ['too much, which is told', { unsaved: { user: 'ada', value: 'x'.repeat(1024 * 1024) } }, true],
])('unsaved work with %s does not keep a user signed in', async ([, answer, isTold]) => {
  const restoreUnsaved = vi.fn()
  const signOut = () => answer
  await using at = await desk({ webApp: { ...createMemoryWebApp(), signOut, restoreUnsaved } as never })
  await at.client.signOut()
  expect(await at.client.status()).toMatchObject({ isSignedIn: false })
  at.wrapper.signIn('ada')
  await at.client.getListOfUsers()
  expect(restoreUnsaved).not.toHaveBeenCalled()
  const log = join(at.wrapper.folders.userFolder, 'logs', 'wrapper.log')
  await vi.waitFor(
    async () => expect((await readFile(log, 'utf8')).includes('unsaved-lost')).toBe(isTold),
    soon,
  )
})

describe('the later choice counts', () => {
  test('an earlier selection that is not drawn fails, and its page is told to stop', async () => {
    const { begun, webApp } = slowWebApp()
    await using at = await desk({ webApp })
    const first = expect(at.client.selectPerson(kari)).rejects.toMatchObject(superseded)
    await vi.waitFor(() => expect(begun).toHaveLength(1), soon)
    const second = at.client.selectPerson(ola)
    await first
    await vi.waitFor(() => expect(begun).toHaveLength(2), soon)
    expect(begun[0]?.signal.aborted).toBe(true)
    begun[0]?.draw()
    begun[1]?.draw()
    expect(await second).toMatchObject({ customId: 'B', focusNumber: 1 })
    expect(at.events.filter(({ type }) => type === 'personselected')).toMatchObject([
      { person: { customId: 'B' } },
    ])
  })

  test.each(['a launch', 'a click'])(
    'an earlier launch gives way to %s, also while both wait',
    async later => {
      await using at = await desk({ isSignedIn: false })
      const { wrapper, client } = at
      await wrapper.launch(...argumentsOf(kari))
      const isLaunch = later === 'a launch'
      const second = isLaunch ? wrapper.launch('wait=true', ...argumentsOf(ola)) : client.selectPerson(ola)
      await vi.waitFor(() => expect(wrapper.notices.join()).toContain('(ERR_SUPERSEDED)'), soon)
      wrapper.signIn()
      expect(await second).toMatchObject(
        isLaunch ? { status: 'completed', focusNumber: 1 } : { focusNumber: 1 },
      )
      expect(calls(wrapper, 'selectPerson')).toMatchObject([{ args: { customId: 'B' } }])
    },
  )

  test.each([
    ['is loaded anew', (wrapper: TestWrapper) => wrapper.window.reload()],
    ['crashes', (wrapper: TestWrapper) => wrapper.crashPage()],
  ])(
    'a launch is not done again, over a choice of the user, by the page after one that %s',
    async (_title, befall) => {
      const { begun, webApp } = slowWebApp()
      await using at = await desk({ webApp })
      const launched = at.wrapper.launch('wait=true', ...argumentsOf(kari))
      await vi.waitFor(() => expect(begun).toHaveLength(1), soon)
      at.wrapper.selectInPage({ userId: 99, ...ola })
      await vi.waitFor(async () => expect((await at.client.status()).person).toMatchObject(ola), soon)
      befall(at.wrapper)
      expect(await launched).toMatchObject({ status: 'refused', code: 'ERR_WEB_APP' })
      await at.client.getListOfUsers()
      expect(begun).toHaveLength(1)
    },
  )

  test('a person who was to be cleared does not stay because a later selection is refused', async () => {
    const selectPerson = vi.fn(createMemoryWebApp().selectPerson)
    await using at = await desk({ webApp: { ...createMemoryWebApp(), selectPerson } })
    await at.client.selectPerson(kari)
    selectPerson.mockImplementation(() => {
      throw new HostCallError('ERR_NOT_FOUND', 'There is no such person.')
    })
    const clearing = at.client.clearPerson()
    const refused = expect(at.client.selectPerson(ola)).rejects.toMatchObject({
      commandCode: 'ERR_NOT_FOUND',
    })
    await Promise.all([clearing, refused])
    expect((await at.client.status()).person).toBeUndefined()
  })

  test('a refused selection leaves the focus, and its earlier one has failed', async () => {
    const selectPerson = ({ customId = '' }: Person, signal: AbortSignal) => {
      if (customId === 'B') throw new HostCallError('ERR_NOT_FOUND', 'There is no such person.')
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    await using at = await desk({ webApp: { ...createMemoryWebApp(), selectPerson } })
    const first = expect(at.client.selectPerson(kari)).rejects.toMatchObject(superseded)
    await at.wrapper.nextCall()
    await expect(at.client.selectPerson(ola)).rejects.toMatchObject({ commandCode: 'ERR_NOT_FOUND' })
    await first
    expect(await at.client.status()).toMatchObject({ focusNumber: 0 })
  })
})

test('a receipt has what the web app has shown, and only if it was asked for', async () => {
  const employee = 'ada@clinic.example'
  const selectPerson = () => ({ status: 'selected', userId: 5, customId: 'A', employee }) as const
  await using at = await desk({ webApp: { ...createMemoryWebApp(), selectPerson } })
  const before = Date.now()
  const reply = await at.client.selectPerson(kari, { receipt: true })
  const { time = '', ...shown } = reply.receipt ?? {}
  expect(shown).toEqual({ focusNumber: 1, employee, userId: 5, customId: 'A' })
  expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
  expect(await at.client.selectPerson(kari)).toEqual({
    status: 'selected',
    userId: 5,
    customId: 'A',
    focusNumber: 2,
  })
})
