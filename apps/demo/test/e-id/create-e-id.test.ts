import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEId, type EId } from '../../src/e-id/create-e-id.ts'
import { testPersons } from '../../src/e-id/e-id-page.ts'
import { patients } from '../../src/journal/patients.ts'
import '@service-link/service/test-kit'

const client = {
  client_id: 'an-application',
  client_secret: 'a-secret-of-the-tests-alone-1234567890',
  redirect_uris: ['https://application.example/callback'],
  post_logout_redirect_uris: ['https://application.example/'],
}

const request = {
  client_id: client.client_id,
  redirect_uri: client.redirect_uris[0] ?? '',
  response_type: 'code',
  scope: 'openid',
  state: 'a-state',
  nonce: 'a-nonce',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

describe('the test e-ID', () => {
  let eId: EId
  beforeAll(async () => {
    eId = await createEId({ port: 0 })
    const name = { en: 'Application <b>', nb: 'Applikasjon <b>' }
    await eId.register(client, { url: 'https://application.example/', name })
  })
  afterAll(() => eId[Symbol.asyncDispose]())

  const authorize = (changes: Record<string, string>) =>
    fetch(`${eId.url}/auth?${new URLSearchParams({ ...request, ...changes })}`, { redirect: 'manual' })

  test('has the demo’s patients with a known identity number, and two more', () => {
    const known = patients.flatMap(({ ssn }) => (ssn === undefined ? [] : [ssn]))
    const [first, second, ...others] = testPersons.map(({ ssn }) => ssn)
    expect([first, second]).toEqual(known)
    expect(patients.filter(({ id }) => others.includes(id))).toEqual([])
    // A month above 80 belongs to no real number.
    for (const { ssn } of testPersons) expect(ssn).toMatch(/^\d\d[89]\d{8}$/)
  })

  test('asks for the person on a separate page, without scripts and never in a frame', async () => {
    const answer = await authorize({})
    expect(answer.status).toBe(303)
    const cookie = answer.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
    const address = new URL(answer.headers.get('location') ?? '', eId.url)
    const page = await fetch(address, { headers: { cookie } })
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; frame-ancestors 'none'; form-action 'self' http: https:$/,
    )
    const text = await page.text()
    expect(text).toContain('Not a real electronic ID')
    expect(text).toContain('Application &lt;b&gt;')
    const nobody = new URLSearchParams({ answer: 'log-in', subject: 'somebody-else' })
    const refused = await fetch(address, { method: 'POST', headers: { cookie }, body: nobody })
    expect(refused.status).toBe(400)
    expect((await fetch(address)).status).toBe(400)
  })

  test('says to somebody who comes from nowhere what it is, in two languages, and where to begin', async () => {
    for (const [language, title, link] of [
      ['en', 'This is the test e-ID', 'Open “Application &lt;b&gt;”'],
      ['nb', 'Dette er test-e-ID-en', 'Åpne «Applikasjon &lt;b&gt;»'],
    ] as const) {
      const answer = await fetch(eId.url, { headers: { 'accept-language': `${language};q=0.9` } })
      const text = await answer.text()
      expect([answer.status, text.includes(`<html lang="${language}">`)]).toEqual([200, true])
      expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).toContain(`<a class="button" href="https://application.example/">${link}</a>`)
      for (const { name, ssn } of testPersons) {
        expect(text).toContain(name)
        expect(text).not.toContain(ssn)
      }
    }
  })

  test.each(['/', '/auth', '/jwks', '/interaction/x', '/nowhere'])(
    'forbids frames and referrers for %s',
    async path => {
      const { headers } = await fetch(`${eId.url}${path}`, { redirect: 'manual' })
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )
})
