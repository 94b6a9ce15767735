import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ada, createTestReceiver, payload, post } from './support/receiver.ts'

const frameOrigins = ['https://journal.example', 'https://other.example:8443']
const iframe = { 'sec-fetch-dest': 'iframe' }
const signedIn = { origins: frameOrigins, contactId: payload.contact.id }

describe('the form of a partner’s answer', () => {
  test('the page gets the partner’s appearance and nothing else of its registration', async () => {
    const appearance = {
      displayName: 'The Journal',
      logoUrl: 'https://cdn.journal.example/logo.svg',
      color: '#12ABef',
      landingView: 'workouts',
    }
    const receiver = await createTestReceiver({ strictPartner: { appearance, frameOrigins } })
    await receiver.receive(post(await receiver.sign()))
    await receiver.logIn(ada.id)
    const known = await receiver.receive(post(await receiver.sign()))
    expect(receiver.outcomes.at(-1)?.partner).toEqual({ id: 'strict', name: 'Strict Partner', appearance })
    expect(known.headers.get('content-security-policy')).toContain(
      "img-src 'self' https://cdn.journal.example;",
    )
  })

  test.each([
    ['page', '*/*', 'text/html; charset=utf-8'],
    ['link', '*/*', 'application/json'],
    ['link', '', 'application/json'],
    ['link', 'text/html,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['link', 'text/html;q=0.1', 'text/html; charset=utf-8'],
    ['page', 'application/json', 'application/json'],
  ] as const)('registered for %s and asked with Accept “%s” it is %s', async (answer, accept, type) => {
    const receiver = await createTestReceiver({ strictPartner: { answer } })
    const response = await receiver.receive(post(await receiver.sign(), { accept }))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  })
})

describe('a frame', () => {
  test('of a partner without frame origins is refused by the browser, whatever the request says', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    const response = await receiver.receive(post(await receiver.sign(), iframe))
    expect(framing(response)).toEqual(["frame-ancestors 'none'", 'DENY'])
    expect(receiver.outcomes.at(-1)?.frame).toBeUndefined()
    expect(response.headers.getSetCookie()[0]).toContain('SameSite=Lax')
  })

  test('of a partner with frame origins may show the log-in page, without a cookie yet', async () => {
    const receiver = await createTestReceiver({ strictPartner: { frameOrigins } })
    const logIn = await receiver.receive(post(await receiver.sign(), iframe))
    expect(framing(logIn)).toEqual([`frame-ancestors ${frameOrigins.join(' ')}`, null])
    expect(logIn.headers.getSetCookie()).toEqual([])
  })

  test.each([
    ['iframe', true, 'SameSite=None; Partitioned'],
    ['frame', true, 'SameSite=None; Partitioned'],
    ['document', false, 'SameSite=Lax'],
    ['', false, 'SameSite=Lax'],
  ])('is recognized by Sec-Fetch-Dest: %s', async (destination, isFramed, cookie) => {
    const receiver = await createTestReceiver({ strictPartner: { frameOrigins } })
    const headers = { 'sec-fetch-dest': destination }
    await receiver.receive(post(await receiver.sign(), headers))
    expect(receiver.outcomes.at(-1)).toMatchObject({
      kind: 'log-in',
      frame: isFramed ? { origins: frameOrigins } : undefined,
    })
    await receiver.logIn(ada.id)
    const response = await receiver.receive(post(await receiver.sign(), headers))
    expect(receiver.outcomes.at(-1)).toMatchObject({
      kind: 'signed-in',
      frame: isFramed ? signedIn : undefined,
    })
    expect(response.headers.getSetCookie()[0]).toContain(cookie)
    // The browser may request the same answer again for a frame.
    expect(framing(response)).toEqual([`frame-ancestors ${frameOrigins.join(' ')}`, null])
  })

  test.each([
    ['of the partner', 'https://journal.example', true],
    ['that the page keeps to itself', 'null', true],
    ['of a stranger', 'https://evil.example', false],
    ['of the partner over http', 'http://journal.example', false],
    ['of the partner at another port', 'https://journal.example:8443', false],
  ])('whose post has an origin %s, %s: %s', async (_name, origin, isFramed) => {
    const receiver = await createTestReceiver({ strictPartner: { frameOrigins } })
    await receiver.logIn(ada.id)
    const answer = await receiver.receive(post(await receiver.sign(), { ...iframe, origin }))
    expect(receiver.outcomes.at(-1)?.frame).toEqual(isFramed ? signedIn : undefined)
    expect(answer.headers.getSetCookie()[0]?.includes('Partitioned')).toBe(isFramed)
  })

  test('is recognized by Sec-Fetch-Dest of the request for a one-time URL', async () => {
    const receiver = await createTestReceiver({ strictPartner: { frameOrigins } })
    await receiver.logIn(ada.id)
    const answer = await receiver.receive(post(await receiver.sign(), { accept: 'application/json' }))
    expect(framing(answer)).toEqual(["frame-ancestors 'none'", 'DENY'])
    const { url } = z.object({ url: z.url() }).parse(await answer.json())
    const page = await receiver.open(new Request(url, { headers: iframe }))
    expect(receiver.outcomes.at(-1)?.frame).toEqual(signedIn)
    expect(page.headers.getSetCookie()[0]).toContain('Partitioned')
    expect(framing(page)).toEqual([`frame-ancestors ${frameOrigins.join(' ')}`, null])
  })

  test('shows a refusal only once the partner is known', async () => {
    const receiver = await createTestReceiver({ strictPartner: { frameOrigins } })
    const known = await receiver.receive(
      post(await receiver.sign({}, { audience: 'https://sso.example/' }), iframe),
    )
    expect([known.status, ...framing(known)]).toEqual([
      401,
      `frame-ancestors ${frameOrigins.join(' ')}`,
      null,
    ])
    // The page around it gets the code, by a message to its origin alone.
    const { nonce, script } = await scriptOf(known)
    expect(nonce).toBeTruthy()
    expect(script).toContain(JSON.stringify(frameOrigins))
    expect(script).toContain('{"serviceLink":1,"event":"refused","code":"ERR_PAYLOAD_AUDIENCE"}')
    const forged = await receiver.sign({}, { key: 'otherRsa', keyId: 'rsa' })
    const unknown = await receiver.receive(post(forged, iframe))
    expect([unknown.status, ...framing(unknown)]).toEqual([401, "frame-ancestors 'none'", 'DENY'])
    expect(await scriptOf(unknown)).toEqual({})
  })
})

function framing({ headers }: Response): (string | null | undefined)[] {
  const policy = headers.get('content-security-policy') ?? ''
  return [/frame-ancestors [^;]*/.exec(policy)?.[0], headers.get('x-frame-options')]
}

/** The only script of a page, and the nonce that lets it run. */
async function scriptOf(answer: Response) {
  const policy = answer.headers.get('content-security-policy') ?? ''
  const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? []
  const [, script] = new RegExp(`<script nonce="${nonce}">(.*)</script>`).exec(await answer.text()) ?? []
  return { nonce, script }
}
