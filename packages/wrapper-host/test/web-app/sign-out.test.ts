import { describe, expect, test, vi } from 'vitest'
import type { MemoryWindow } from '../../src/testing/memory-engine.ts'
import { memoryTray, startHosted } from '../support/hosted-wrapper.ts'
import { claimAsWrapper } from '../support/instance-place.ts'
import { request } from '../support/pipe.ts'

const soon = { timeout: 60_000 }
const withMinimising = (text: 'True' | 'False') => ({ settings: { MinimizeOnExit: text } })

describe('closing the window', () => {
  test('[2.2-minimize-on-exit] minimizes it during a session, even without its page', async () => {
    await using hosted = await startHosted(withMinimising('True'))
    hosted.window.closeByUser()
    expect(hosted.window.state).toBe('minimised')
    await hosted.wrapper.show()
    expect(hosted.window.state).toBe('normal')
    await hosted.window.showOwnPage({ title: '', paragraphs: [], buttons: [] })
    hosted.window.closeByUser()
    expect(hosted.window.state).toBe('minimised')
  })

  test.each([
    ['while nobody is signed in', { ...withMinimising('True'), isSignedIn: false }],
    ['without MinimizeOnExit', withMinimising('False')],
  ])('[2.2-minimize-on-exit] ends the wrapper %s', async (_title, options) => {
    await using hosted = await startHosted(options)
    hosted.window.closeByUser()
    await hosted.wrapper.closed
  })

  test('[2.2-minimize-on-exit] ends the wrapper after a sign-out in the page, until the next sign-in', async () => {
    await using hosted = await startHosted(withMinimising('True'))
    const { window, page } = hosted
    page.signOut()
    page.signIn()
    window.closeByUser()
    expect(window.state).toBe('minimised')
    page.signOut()
    window.closeByUser()
    await hosted.wrapper.closed
  })
})

describe('signing out', () => {
  const choices = [
    ['by the tray', (_: unknown, icon: ReturnType<typeof memoryTray>) => icon.choose('signOut')],
    [
      'by the program that holds the wrapper',
      (hosted: Awaited<ReturnType<typeof startHosted>>) => void hosted.wrapper.signOut(),
    ],
  ] as const

  test.each(choices)('%s makes the page sign out, clears its data and reloads it', async (_title, choose) => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray })
    const { window } = hosted
    await vi.waitFor(() => expect(icon.items).toContain('Sign out'), soon)
    const cleared = vi.spyOn(window, 'close')
    choose(hosted, icon)
    await vi.waitFor(() => expect(hosted.window).not.toBe(window), soon)
    expect(hosted.opened).toMatchObject([{}, { url: 'https://app.example/' }])
    expect(hosted.calls).toEqual(['signOut'])
    expect(cleared).toHaveBeenCalledOnce()
    expect(icon.items).toContain('(Sign out)')
    hosted.window.closeByUser()
    await hosted.wrapper.closed
  })

  test.each(choices)(
    '%s fails the running launch, which the next user does not get',
    async (_title, choose) => {
      const icon = memoryTray()
      const begun = Promise.withResolvers<void>()
      const selectPerson = () => {
        begun.resolve()
        return new Promise<never>(() => undefined)
      }
      const argv = ['provider=Service.Desktop.Arguments.Component, Service.Desktop', 'id=4711']
      await using hosted = await startHosted({
        tray: icon.tray,
        argv: [...argv, 'firstname=Kari', 'lastname=Nordmann', 'dateofbirth=1970-01-02'],
        webApp: { selectPerson },
      })
      const { window, page } = hosted
      await begun.promise
      await vi.waitFor(() => expect(icon.items).toContain('Sign out'), soon)
      choose(hosted, icon)
      await vi.waitFor(() => expect(hosted.window).not.toBe(window), soon)
      await hosted.window.begun
      const notices = () => hosted.notices.join()
      await vi.waitFor(() => expect(notices()).toContain('(ERR_SIGNED_OUT)'), soon)
      const asked = vi.spyOn(hosted.window, 'saveSession')
      page.signIn()
      await vi.waitFor(() => expect(asked).toHaveBeenCalled(), soon)
      expect(hosted.calls).toEqual(['selectPerson', 'signOut'])
    },
  )

  test('continues when the page does not answer, or cannot', async () => {
    const signOut = () => Promise.reject(new Error('the service is away'))
    await using hosted = await startHosted({ webApp: { signOut } })
    await hosted.wrapper.signOut()
    expect(hosted.window.session.isSignedIn).toBe(false)
  })

  const serviceAway = () => Promise.reject(new Error('the service is away'))

  test('survives an engine that is lost afterwards', async () => {
    await using hosted = await startHosted({ webApp: { signOut: serviceAway } })
    await hosted.wrapper.signOut()
    hosted.window.lose()
    await vi.waitFor(() => expect(hosted.window.state).toBe('normal'), soon)
    await hosted.window.begun
    expect(hosted.window.session.isSignedIn).toBe(false)
  })

  test('survives an engine that is lost while the page is asked', async () => {
    await using hosted = await startHosted({
      webApp: {
        signOut() {
          hosted.window.lose()
          return new Promise(() => undefined)
        },
      },
    })
    await hosted.wrapper.signOut()
    expect(hosted.opened).toHaveLength(2)
    expect(hosted.window.session.isSignedIn).toBe(false)
  })

  test('a second one joins the first: a user who signs in meanwhile stays', async () => {
    await using hosted = await startHosted()
    await Promise.all([hosted.wrapper.signOut(), hosted.wrapper.signOut()])
    expect(hosted.opened).toHaveLength(2)
    expect(hosted.calls).toEqual(['signOut'])
  })

  test('in the page cleans up afterwards, once nothing else runs', async () => {
    await using hosted = await startHosted()
    const { page } = hosted
    page.signOut()
    await vi.waitFor(() => expect(hosted.opened).toHaveLength(2), soon)
  })

  test('in the page leaves another user alone who signs in at once', async () => {
    await using hosted = await startHosted()
    const { window, page } = hosted
    const asked = vi.spyOn(window, 'saveSession')
    page.signOut()
    page.signIn()
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), soon)
    await hosted.wrapper.close()
    expect(hosted.opened).toHaveLength(1)
  })
})

describe('[4.5-close] close on the pipe', () => {
  const close = (hosted: Awaited<ReturnType<typeof startHosted>>, args?: object) =>
    request(hosted.wrapper.pipeAddress, { Method: 'close', Args: args })

  test('is answered at once, then the page signs out, and the wrapper exits with its window', async () => {
    const asked = Promise.withResolvers<void>()
    await using hosted = await startHosted({ webApp: { signOut: () => asked.promise } })
    const { window } = hosted
    expect(await close(hosted)).toEqual([])
    await vi.waitFor(() => expect(hosted.calls).toEqual(['signOut']), soon)
    expect(await request(hosted.wrapper.pipeAddress, { Method: 'version' })).toEqual([
      expect.stringContaining('ERR_CLOSING'),
    ])
    window.closeByUser()
    expect(window.state).toBe('minimised')
    asked.resolve()
    await hosted.wrapper.closed
    expect(window.state).toBe('closed')
  })

  test.each<[string, object | undefined]>([
    ['signout false', { signout: false }],
    ['signout as text', { SignOut: 'False' }],
  ])('with %s asks no page to sign out', async (_title, args) => {
    await using hosted = await startHosted()
    await close(hosted, args)
    await hosted.wrapper.closed
    expect(hosted.calls).toEqual([])
  })

  test('asks no page while nobody is signed in', async () => {
    await using hosted = await startHosted({ isSignedIn: false })
    await close(hosted)
    await hosted.wrapper.closed
    expect(hosted.calls).toEqual([])
  })

  test.each<[string, (window: MemoryWindow) => void]>([
    ['crashes', window => window.crash()],
    ['leaves', window => window.load('https://elsewhere.example/')],
    ['is lost with its engine', window => window.lose()],
  ])('exits though the page %s meanwhile', async (_title, fail) => {
    await using hosted = await startHosted({
      webApp: {
        signOut() {
          fail(hosted.window)
          return new Promise(() => undefined)
        },
      },
    })
    await close(hosted)
    await hosted.wrapper.closed
    expect(hosted.window.state).toBe('closed')
  })

  test('exits though the page hangs', async () => {
    await using hosted = await startHosted()
    const { window } = hosted
    window.hang()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      await close(hosted)
      while (window.state !== 'closed') await vi.advanceTimersByTimeAsync(1000)
      await hosted.wrapper.closed
    } finally {
      vi.useRealTimers()
    }
  })

  test('lets a launch that comes meanwhile start the next wrapper', async () => {
    const asked = Promise.withResolvers<void>()
    await using hosted = await startHosted({ webApp: { signOut: () => asked.promise } })
    await close(hosted)
    await vi.waitFor(() => expect(hosted.calls).toEqual(['signOut']), soon)
    const claimed = claimAsWrapper(hosted.place)
    asked.resolve()
    await using _next = await claimed
  })

  test('joins a sign-out that has begun', async () => {
    const asked = Promise.withResolvers<void>()
    await using hosted = await startHosted({ webApp: { signOut: () => asked.promise } })
    const signOut = hosted.wrapper.signOut().catch(() => undefined)
    await close(hosted)
    asked.resolve()
    await Promise.all([signOut, hosted.wrapper.closed])
    expect(hosted.calls).toEqual(['signOut'])
  })
})
