import { expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { MemoryPage } from '../../src/testing/memory-page.ts'
import { Bridge } from '../../src/web-app/bridge.ts'
import { pageScript } from '../../src/web-app/page-script.ts'
import { followPageSignOut, UnsavedKeeper } from '../../src/web-app/sign-out.ts'
import { SignInState } from '../../src/web-app/user-session.ts'
import { keepWindow } from '../../src/window/keep-window.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { openingOf } from '../support/opening.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'

/** A web app in memory whose sessions end like a service's: without a message of its page. */
async function watched({
  settleMs = 1,
  ...pauses
}: {
  readonly settleMs?: number
  readonly quietMs?: number
  readonly unsaidQuietMs?: number
}) {
  await using resources = new AsyncDisposableStack()
  const page = new MemoryPage({ handlers: {}, onError: () => undefined })
  const world = { isOnline: true, load: page.load.bind(page), answerPost: async () => 200 }
  const engine = createMemoryEngine(world, { isSignedIn: true })
  const events: WrapperEvent[] = []
  const report = (event: WrapperEvent) => void events.push(event)
  const returnAddress = new ReturnAddress(url)
  const window = resources.use(
    await keepWindow({
      engine,
      window: { ...openingOf(url), pageScript: pageScript(), allowedOrigins: [url] },
      returnAddress,
      session: { snapshot: undefined, drop: () => undefined },
      report,
    }),
  )
  const bridge = resources.use(
    new Bridge(window, { info: { version: '3.0.0.0', distributorName: '', launchParameters: {} } }),
  )
  const signIn = resources.use(new SignInState(bridge, { report, settleMs }))
  const { signal } = resources.adopt(new AbortController(), controller => controller.abort())
  const unsaved = new UnsavedKeeper(() => undefined)
  const following = { window, bridge, signIn, returnAddress, unsaved, signal, ...pauses }
  const pageSignOut = resources.use(followPageSignOut(following))
  await vi.waitFor(() => expect(bridge.state.isSignedIn).toBe(true), soon)
  const inMemory = engine.window
  if (!inMemory) throw new Error('There is no window.')
  const owned = resources.move()
  return {
    events,
    page,
    inMemory,
    signIn,
    pageSignOut,
    unsaved,
    cleared: vi.spyOn(inMemory, 'close'),
    endSession() {
      inMemory.session.isSignedIn = false
      inMemory.reload()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('a session that ends without a message of the page is cleaned up as well', async () => {
  await using one = await watched({ unsaidQuietMs: 1 })
  one.endSession()
  await vi.waitFor(() => expect(one.cleared).toHaveBeenCalledOnce(), soon)
  expect(one.events).toContainEqual({ type: 'signed-out', by: 'page' })
})

test('the session of another user, of whom the next page tells, is another one', async () => {
  await using one = await watched({ settleMs: 600_000 })
  one.page.signIn('ada')
  one.endSession()
  const changes: unknown[] = []
  one.signIn.on('changed', change => changes.push(change))
  one.page.signIn('bob')
  await vi.waitFor(() => expect(changes).toHaveLength(2), soon)
  expect(changes).toEqual([
    { isSignedIn: false, reason: 'user' },
    { isSignedIn: true, reason: undefined },
  ])
  expect(one.cleared).not.toHaveBeenCalled()
})

test('an employee is expected from a payload’s page on, until somebody signs in or the session is ended', async () => {
  await using one = await watched({})
  const { signIn } = one
  signIn.expect()
  expect(signIn.isExpected).toBe(false)
  one.endSession()
  await vi.waitFor(() => expect(signIn.isSignedIn).toBe(false), soon)
  signIn.expect()
  expect(signIn.isExpected).toBe(true)
  one.page.signIn('ada')
  await vi.waitFor(() => expect(signIn.isSignedIn).toBe(true), soon)
  expect(signIn.isExpected).toBe(false)
  signIn.end('pipe')
  signIn.noteCleared({ isPageNew: true })
  signIn.expect()
  signIn.end('pipe')
  expect(signIn.isExpected).toBe(false)
})

test('what the page had not saved when its session ended is kept for its user', async () => {
  await using one = await watched({ quietMs: 1 })
  const keep = vi.spyOn(one.unsaved, 'keep')
  const unsaved = { user: 'ada', value: { note: 'typed' } }
  one.page.signOut('time', unsaved)
  await vi.waitFor(() => expect(one.cleared).toHaveBeenCalledOnce(), soon)
  expect(keep).toHaveBeenCalledExactlyOnceWith({ unsaved })
})

test('such a session is cleaned up at once before the next sign-in', async () => {
  await using one = await watched({ unsaidQuietMs: 600_000 })
  one.endSession()
  await vi.waitFor(() => expect(one.signIn.isSignedIn).toBe(false), soon)
  expect(one.cleared).not.toHaveBeenCalled()
  await one.pageSignOut.finish()
  expect(one.cleared).toHaveBeenCalledOnce()
})

test('a log-out over other sites is left alone, also before it leads there, and cleaned up after its return', async () => {
  await using one = await watched({ quietMs: 1 })
  const { page, inMemory, cleared } = one
  // The browser holds back calls into a page that leaves.
  const left = Promise.withResolvers<undefined>()
  const asked = vi.spyOn(inMemory, 'call').mockReturnValueOnce(left.promise)
  page.signOut()
  await vi.waitFor(() => expect(asked).toHaveBeenCalledWith({ type: 'introduce' }, expect.anything()), soon)
  inMemory.load('https://identity.example/log-out')
  left.resolve(undefined)
  // A log-out that stays and began later has been cleaned up.
  await using other = await watched({ quietMs: 1 })
  other.page.signOut()
  await vi.waitFor(() => expect(other.cleared).toHaveBeenCalledOnce(), soon)
  expect(cleared).not.toHaveBeenCalled()
  inMemory.load(url)
  await vi.waitFor(() => expect(cleared).toHaveBeenCalledOnce(), soon)
})

test('a user who signs in while the clear-up begins keeps the session', async () => {
  await using one = await watched({ quietMs: 1 })
  const { page, inMemory, cleared, signIn } = one
  const asked = vi.spyOn(inMemory, 'windowState').mockImplementationOnce(async () => {
    page.signIn()
    return 'normal'
  })
  page.signOut()
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), soon)
  await one.pageSignOut.finish()
  expect(cleared).not.toHaveBeenCalled()
  expect(signIn.isSignedIn).toBe(true)
})

test('the page in memory does in its next document what its user did without one', async () => {
  await using one = await watched({ quietMs: 1 })
  const { page, cleared, signIn } = one
  cleared.mockImplementationOnce(async () => {
    await one.inMemory[Symbol.asyncDispose]()
    page.signIn()
  })
  page.signOut()
  await vi.waitFor(() => expect(signIn.isSignedIn).toBe(true), soon)
  expect(cleared).toHaveBeenCalled()
})
