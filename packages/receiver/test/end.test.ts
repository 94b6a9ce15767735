import { describe, expect, test } from 'vitest'
import { PendingGoneError } from '../src/index.ts'
import {
  ada,
  createTestReceiver,
  linkIdOf,
  linkOf,
  logInOf,
  post,
  type TestReceiver,
} from './support/receiver.ts'

const json = { accept: 'application/json' }

/** Posts a signed end of the usual employee. */
async function postEnd(
  receiver: TestReceiver,
  end: 'context' | 'session' = 'context',
  headers: Record<string, string> = json,
): Promise<Response> {
  return receiver.receive(post(await receiver.sign(Object({ contact: undefined, end })), headers))
}

const start = (ends = true) => createTestReceiver({ strictPartner: { ends } })

const sessionOf = (answer: Response) =>
  new Request('https://sso.example/', {
    headers: { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
  })

describe('a signed end', () => {
  test('is refused unless the registration allows it, and changes nothing then', async () => {
    const receiver = await start(false)
    await receiver.logIn(ada.id)
    const visit = await receiver.receive(post(await receiver.sign()))
    const answer = await postEnd(receiver, 'session')
    expect(await answer.json()).toMatchObject({ status: 403, code: 'ERR_END_NOT_ALLOWED' })
    expect(await receiver.sessions.current(sessionOf(visit))).toEqual(ada)
  })

  test('of a context keeps the session, and later visits know of it', async () => {
    const receiver = await start()
    await receiver.logIn(ada.id)
    const visit = await receiver.receive(post(await receiver.sign()))
    const answer = await postEnd(receiver)
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 'context' }])
    expect(await receiver.sessions.current(sessionOf(visit))).toMatchObject(ada)
    await receiver.receive(post(await receiver.sign()))
    const [before, after] = receiver.outcomes.map(outcome => 'account' in outcome && outcome.account.lastEnd)
    expect([before, after]).toEqual([undefined, answer.headers.get('x-request-id')])
  })

  test('of a session signs out of the sessions of this link alone', async () => {
    const receiver = await start()
    await receiver.logIn(ada.id)
    await receiver.logIn(ada.id, { employeeId: 'emp-8' })
    const visit = await receiver.receive(post(await receiver.sign()))
    const other = await receiver.receive(post(await receiver.sign({ employeeId: 'emp-8' })))
    expect((await postEnd(receiver, 'session')).status).toBe(200)
    expect(await receiver.sessions.current(sessionOf(visit))).toBeUndefined()
    expect(await receiver.sessions.current(sessionOf(other))).toEqual(ada)
    const entry = receiver.store.auditEntries().at(-1)
    expect(entry).toMatchObject({
      event: 'post',
      outcome: 'session-ended',
      accountId: ada.id,
      employeeDigest: undefined,
    })
  })

  test('takes back what waits for a log-in, and the one-time URL: nobody appears late', async () => {
    const receiver = await start()
    await receiver.receive(post(await receiver.sign()))
    const { handle } = logInOf(receiver)
    const address = await linkOf(receiver)
    expect((await postEnd(receiver)).status).toBe(200)
    await expect(receiver.completePending(handle, ada.id)).rejects.toBeInstanceOf(PendingGoneError)
    expect((await receiver.open(new Request(address))).status).toBe(410)
    // What is posted afterwards takes effect.
    expect((await receiver.open(new Request(await linkOf(receiver)))).status).toBe(200)
  })

  test('answers for an unknown employee as for a known one, and records a digest', async () => {
    const receiver = await start()
    const answer = await postEnd(receiver, 'session')
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 'session' }])
    expect(receiver.store.auditEntries()).toMatchObject([
      { outcome: 'session-ended', accountId: undefined, employeeDigest: await linkIdOf() },
    ])
  })

  test('is used once: a replayed end does not close what was opened since', async () => {
    const receiver = await start()
    await receiver.logIn(ada.id)
    const token = await receiver.sign(Object({ contact: undefined, end: 'session' }))
    expect((await receiver.receive(post(token, json))).status).toBe(200)
    const visit = await receiver.receive(post(await receiver.sign()))
    const again = await receiver.receive(post(token, json))
    expect(await again.json()).toMatchObject({ status: 401, code: 'ERR_PAYLOAD_REPLAYED' })
    expect(await receiver.sessions.current(sessionOf(visit))).toMatchObject(ada)
  })

  test('of a form gets a small page, whose script alone may run', async () => {
    const receiver = await start()
    const answer = await postEnd(receiver, 'context', { accept: 'text/html' })
    const [, nonce = ''] =
      /script-src 'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
    const page = await answer.text()
    expect(nonce).not.toBe('')
    expect(page).toContain(`<script nonce="${nonce}">`)
    expect(page).toContain('Nobody is selected any more.')
    expect(page).not.toContain('postMessage')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('in a frame tells the page around it', async () => {
    const frameOrigins = ['https://journal.example']
    const receiver = await createTestReceiver({ strictPartner: { ends: true, frameOrigins } })
    const answer = await postEnd(receiver, 'context', { accept: 'text/html', 'sec-fetch-dest': 'iframe' })
    expect(await answer.text()).toContain('{"serviceLink":1,"event":"cleared"}')
  })

  test('counts for the rate of its partner', async () => {
    const receiver = await createTestReceiver({ strictPartner: { ends: true, maxPostsPerMinute: 1 } })
    expect((await postEnd(receiver)).status).toBe(200)
    expect((await postEnd(receiver)).status).toBe(429)
  })
})
