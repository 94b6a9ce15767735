import { EngineError } from '@service-link/window-engine'
import { describe, expect, test, vi } from 'vitest'
import { startTestWrapper, type TestWrapper } from '../../src/testing/index.ts'
import { payloadUrl, postPayload } from '../../src/web-app/sign-on.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { startHosted } from '../support/hosted-wrapper.ts'
import { openingOf } from '../support/opening.ts'
import { payloadArgument } from '../support/provider-input.ts'

const payload = 'eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.c2lnbmF0dXJl'
const byPartnerLink = 'provider=Service.Desktop.PartnerLink.Component, Service.Desktop'
const payloadIn = ({ folders }: TestWrapper) => payloadArgument(folders.userFolder, payload)

describe('a launch with a signed payload', () => {
  test('posts it to the service in the window, and completes when the employee is signed in', async () => {
    await using wrapper = await startTestWrapper({
      isSignedIn: false,
      settings: { SsoUrl: 'https://sso.example/base/' },
    })
    const outcome = await wrapper.launch(byPartnerLink, await payloadIn(wrapper), 'wait=true')
    expect(outcome).toMatchObject({ status: 'completed' })
    expect(wrapper.posts).toEqual([{ url: 'https://sso.example/base/partner/payload', form: { payload } }])
    expect(wrapper.notices).toEqual([])
  })

  test('fails when the service refuses it, with its status only, and the window shows it', async () => {
    await using wrapper = await startTestWrapper({ answerPost: () => 410 })
    const outcome = await wrapper.launch(byPartnerLink, await payloadIn(wrapper), 'wait=true')
    expect(outcome).toMatchObject({ status: 'refused', code: 'ERR_SIGN_ON_REFUSED' })
    expect(outcome).toMatchObject({ message: expect.stringContaining('410') })
    expect(wrapper.window.notice?.text).toMatch(/refused/)
    wrapper.window.pressNotice('dismiss')
    expect(wrapper.window.notice).toBeUndefined()
    expect(wrapper.notices.join()).not.toContain(payload)
  })

  test('right after a sign-out in the page survives that sign-out’s clean-up', async () => {
    await using hosted = await startHosted()
    const { window, page, folder } = hosted
    const cleared = vi.spyOn(window, 'close')
    page.signOut()
    const argv = [byPartnerLink, await payloadArgument(folder, payload), 'wait=true']
    expect(await hosted.start(argv)).toMatchObject({ outcome: { status: 'completed' } })
    expect(cleared).toHaveBeenCalledOnce()
    expect(hosted.window.session.isSignedIn).toBe(true)
  })

  test.each([
    ['goes on with the session kept while nobody signs on', false],
    ['goes on with nobody’s session while somebody else signs on', true],
  ])('an engine that is lost %s', async (_title, isPosting) => {
    const asked = Promise.withResolvers<void>()
    await using hosted = await startHosted({
      answerPost() {
        asked.resolve()
        return new Promise(() => undefined)
      },
    })
    const { window, folder } = hosted
    const argument = await payloadArgument(folder, payload)
    if (isPosting) {
      await hosted.start([byPartnerLink, argument])
      await asked.promise
    }
    window.lose()
    await hosted.wrapper.show()
    expect(hosted.window).not.toBe(window)
    expect(hosted.window.session.isSignedIn).toBe(!isPosting)
  })

  test('waits for an unreachable service', async () => {
    await using wrapper = await startTestWrapper({ isOnline: false, isSignedIn: false })
    const launched = wrapper.launch(byPartnerLink, await payloadIn(wrapper), 'wait=true')
    await vi.waitFor(() => expect(wrapper.window.ownPage).toBeDefined(), { timeout: 60_000 })
    wrapper.goOnline()
    expect(await launched).toMatchObject({ status: 'completed' })
    expect(wrapper.posts).toHaveLength(1)
  })
})

test.each([
  ['https://sso.example', 'https://sso.example/partner/payload'],
  ['https://sso.example/base//', 'https://sso.example/base/partner/payload'],
])('below %s payloads are posted to %s', (base, url) => {
  expect(payloadUrl(base)).toBe(url)
})

const url = 'https://app.example/partner/payload'

/** A window whose service answers a form with these statuses in turn, 0 for none, and then with 200. */
async function answering(...statuses: number[]) {
  const engine = fakeEngine()
  const window = await engine.open(openingOf('https://app.example/'))
  const post = vi.spyOn(window, 'post').mockImplementation(async () => {
    const status = statuses.shift() ?? 200
    if (status === 0) throw new EngineError('navigation', 'There is no network.')
    if (status < 400) setImmediate(() => engine.emit('unloading', {}))
    return { status }
  })
  const pauses: number[] = []
  const wait = async (ms: number) => void pauses.push(ms)
  const options = { url, isPageThere: true, timeoutMs: 60_000, signal: new AbortController().signal, wait }
  return { window, post, pauses, options }
}

describe('a payload', () => {
  test.each([0, 502, 503, 504])('is posted again when the first answer is %i', async status => {
    const { window, post, options } = await answering(status, status)
    await postPayload(window, 'x.y.z', options)
    expect(post).toHaveBeenCalledTimes(3)
  })

  test('is not posted again after the service’s refusal', async () => {
    const { window, post, options } = await answering(500)
    await expect(postPayload(window, 'x.y.z', options)).rejects.toMatchObject({
      code: 'ERR_SIGN_ON_REFUSED',
      status: 500,
    })
    expect(post).toHaveBeenCalledOnce()
  })

  test('is retried at growing intervals while the service is away', async () => {
    const { window, pauses, options } = await answering(0)
    let looks = 0
    vi.spyOn(window, 'canReach').mockImplementation(async () => ++looks === 8)
    await postPayload(window, 'x.y.z', options)
    expect(pauses).toHaveLength(8)
    for (const ms of pauses.slice(5)) expect(ms).toBeGreaterThanOrEqual(15_000)
  })

  test('is given up when the service is unreachable while it may be valid', async () => {
    const { window, options } = await answering(0)
    vi.spyOn(window, 'canReach').mockResolvedValue(false)
    const { wait: _, ...real } = options
    await expect(postPayload(window, 'x.y.z', { ...real, reachMs: 20 })).rejects.toMatchObject({
      code: 'ERR_SIGN_ON_UNREACHABLE',
      waitedMs: 20,
    })
  })
})
