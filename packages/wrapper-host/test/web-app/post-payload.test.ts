import { EngineError } from '@service-link/window-engine'
import { describe, expect, test, vi } from 'vitest'
import { postPayload } from '../../src/web-app/sign-on.ts'
import { fakeEngine } from '../support/fake-engine.ts'

const url = 'https://app.example/partner/payload'
const opening = {
  url: 'https://app.example/',
  profileFolder: '/',
  userAgentSuffix: '',
  pageScript: '',
  allowedOrigins: [],
}

/** A window whose service answers a form with these statuses in turn, 0 for none, and then with 200. */
async function answering(...statuses: number[]) {
  const engine = fakeEngine()
  const window = await engine.open(opening)
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
