import { EngineError } from '@service-link/window-engine'
import { describe, expect, test, vi } from 'vitest'
import { memoryTray, startHosted } from '../support/hosted-wrapper.ts'

const soon = { timeout: 60_000 }
const withMinimising = (text: 'True' | 'False') => ({ settings: { MinimizeOnExit: text } })

describe('closing the window', () => {
  test('[2.2-minimize-on-exit] minimises it during a session, even without its page', async () => {
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
    page.signOut(window.session)
    page.signIn(window.session)
    window.closeByUser()
    expect(window.state).toBe('minimised')
    page.signOut(window.session)
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
    const cleared = vi.spyOn(window, 'clearSession')
    const loaded = new Promise(resolve => window.on('loaded', resolve))
    choose(hosted, icon)
    expect(await loaded).toEqual({ url: 'https://app.example/' })
    expect(hosted.calls).toEqual(['signOut'])
    expect(cleared).toHaveBeenCalledOnce()
    expect(icon.items).toContain('(Sign out)')
    window.closeByUser()
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
      const loaded = new Promise(resolve => window.on('loaded', resolve))
      choose(hosted, icon)
      await loaded
      const notices = () => hosted.notices.join()
      await vi.waitFor(() => expect(notices()).toContain('(ERR_SIGNED_OUT)'), soon)
      const asked = vi.spyOn(window, 'saveSession')
      page.signIn(window.session)
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
    expect(hosted.opened.map(({ isSessionForgotten = false }) => isSessionForgotten)).toEqual([false, true])
    expect(hosted.window.session.isSignedIn).toBe(false)
  })

  test('continues in another window, which clears first, when this one cannot; the log says so', async () => {
    await using hosted = await startHosted({ webApp: { signOut: serviceAway } })
    const { window } = hosted
    vi.spyOn(window, 'clearSession').mockRejectedValue(new EngineError('refused', 'No.'))
    await hosted.wrapper.signOut()
    expect(hosted.window).not.toBe(window)
    expect(hosted.opened.map(({ isSessionForgotten = false }) => isSessionForgotten)).toEqual([false, true])
    expect(hosted.window.session.isSignedIn).toBe(false)
    expect(hosted.notices).toEqual([expect.stringContaining('could not be removed (refused)')])
  })

  test('a second one joins the first: a user who signs in meanwhile stays', async () => {
    await using hosted = await startHosted()
    const cleared = vi.spyOn(hosted.window, 'clearSession')
    await Promise.all([hosted.wrapper.signOut(), hosted.wrapper.signOut()])
    expect(cleared).toHaveBeenCalledOnce()
    expect(hosted.calls).toEqual(['signOut'])
  })

  test('in the page is finished when the wrapper closes right after it', async () => {
    await using hosted = await startHosted()
    const { window, page } = hosted
    const cleared = vi.spyOn(window, 'clearSession')
    page.signOut(window.session)
    await hosted.wrapper.close()
    expect(cleared).toHaveBeenCalledOnce()
  })

  test('in the page cleans up afterwards, once nothing else runs', async () => {
    await using hosted = await startHosted()
    const { window, page } = hosted
    const cleared = vi.spyOn(window, 'clearSession')
    page.signOut(window.session)
    await vi.waitFor(() => expect(cleared).toHaveBeenCalledOnce(), soon)
  })

  test('in the page leaves another user alone who signs in at once', async () => {
    await using hosted = await startHosted()
    const { window, page } = hosted
    const cleared = vi.spyOn(window, 'clearSession')
    const asked = vi.spyOn(window, 'saveSession')
    page.signOut(window.session)
    page.signIn(window.session)
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), soon)
    await hosted.wrapper.close()
    expect(cleared).not.toHaveBeenCalled()
  })
})
