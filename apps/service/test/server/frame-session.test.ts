import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPartnerKey } from '../../src/testing/partner-key.ts'
import { logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, sign } from '../support/post.ts'
import { query, type RunningService, startService } from '../support/service.ts'

const journalUrl = 'https://journal.example'

describe('a session in a partner’s frame', () => {
  let running: RunningService
  let cookie: string
  let setCookie: string

  beforeAll(async () => {
    const key = await createPartnerKey()
    const registration = { ...key.registration, frameOrigins: [journalUrl] }
    running = { ...(await startService({ partners: [registration] })), key }
    const client = await logInAs(running.service, accounts.ingrid)
    expect((await confirmLink(client, running)).status).toBe(200)
    setCookie = (await postInFrame()).headers.getSetCookie().join()
    cookie = setCookie.split(';')[0] ?? ''
  })
  afterAll(async () => {
    await running[Symbol.asyncDispose]()
  })

  /** Posts like a browser's frame. */
  const postInFrame = async () =>
    post(running, await sign(running), { accept: 'text/html', 'sec-fetch-dest': 'iframe' })

  function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> {
    const { url } = running.service
    const body = method === 'GET' ? {} : { body: '{}' }
    return fetch(`${url}${path}`, {
      method,
      headers: { cookie, origin: url, 'content-type': 'application/json', ...headers },
      ...body,
    })
  }

  async function signedInBy(headers: Record<string, string>): Promise<unknown> {
    const { employee } = await (await ask('/api/session', headers)).json()
    return employee?.name
  }

  test('has a cookie for that partner’s site alone', () => {
    expect(setCookie).toMatch(/^__Host-service-frame\.session_token=[^;]+;/)
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=None', 'Partitioned'])
      expect(setCookie).toMatch(new RegExp(`; ${attribute}(;|$)`, 'i'))
  })

  test('serves the pages of the frame and no other page', async () => {
    expect(await signedInBy({ 'x-framed': '1' })).toBe('Ingrid Solberg')
    expect(await signedInBy({})).toBeUndefined()
    expect((await ask('/api/exercises/1', {})).status).toBe(401)
  })

  test('is not accepted under another session’s cookie name', async () => {
    const renamed = cookie.replace('__Host-service-frame', '__Host-service')
    expect(await signedInBy({ cookie: renamed })).toBeUndefined()
    expect(await signedInBy({ cookie: renamed, 'x-framed': '1' })).toBeUndefined()
  })

  test.each([
    ['with the session, the page may be shown under that partner’s pages', {}, journalUrl],
    ['without a cookie under none', { cookie: '' }, "'none'"],
    ['with a broken cookie under none', { cookie: '__Host-service-frame.session_token=x' }, "'none'"],
    ['in a tab there is no need to', { 'sec-fetch-dest': 'document' }, "'none'"],
  ])('%s', async (_, headers: Record<string, string>, ancestors) => {
    const page = await ask('/persons', { 'sec-fetch-dest': 'iframe', ...headers })
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${ancestors}`)
    expect(page.headers.get('x-frame-options')).toBe(ancestors === "'none'" ? 'DENY' : null)
  })

  test.each<Record<string, string>>([{ 'x-framed': '1' }, { 'sec-fetch-dest': 'iframe' }])(
    'accepts no password log-in, and attempts with %j change no count of log-ins',
    async headers => {
      const { email, password } = accounts.ingrid
      const counts = () => query(running, 'select * from rate_counts order by key_digest')
      const before = await counts()
      const answer = await fetch(`${running.service.url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { origin: running.service.url, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email, password }),
      })
      expect(answer.status).toBe(404)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(await counts()).toEqual(before)
    },
  )

  test.each([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
    {},
  ])(
    'the log-in of a visit opens from the service’s own pages alone, in a window: not by %j',
    async headers => {
      const body = new URLSearchParams({ visit: '{"kind":"log-in"}' })
      const init = { method: 'POST', body, headers: { ...headers } }
      expect((await fetch(`${running.service.url}/partner/log-in`, init)).status).toBe(403)
    },
  )

  test('is not valid while the partner may show no frame', async () => {
    const { registration } = running.key
    await running.service.replacePartners([registration])
    expect(await signedInBy({ 'x-framed': '1' })).toBeUndefined()
    const page = await ask('/persons', { 'sec-fetch-dest': 'iframe' })
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    await running.service.replacePartners([{ ...registration, frameOrigins: [journalUrl] }])
    expect(await signedInBy({ 'x-framed': '1' })).toBe('Ingrid Solberg')
  })

  test('ends with the sign-out', async () => {
    expect((await ask('/api/auth/sign-out', { 'x-framed': '1' }, 'POST')).status).toBe(200)
    expect(await signedInBy({ 'x-framed': '1' })).toBeUndefined()
    const page = await ask('/persons', { 'sec-fetch-dest': 'iframe' })
    expect(page.headers.get('x-frame-options')).toBe('DENY')
  })
})
