import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importSigningKey, type PayloadClaims, postPayload, signPayload } from '@service-link/jwt-payload'
import { describe, expect, test } from 'vitest'
import { type NoDeliveryError, startTestService, type TestService } from '../../src/test-service/index.ts'
import { testTokenKinds } from '../../src/test-service/test-tokens.ts'

const kari: PayloadClaims = {
  organizationId: 'org-1',
  employeeId: 'emp-7',
  contact: { id: '4711', firstname: 'Kari', lastname: 'Nordmann' },
}

const sign = ({ audience, issuer, signing }: TestService, claims = kari) =>
  signPayload(claims, signing, { audience, issuer })

/** Posts as a browser's form does. */
const postForm = (address: string, payload: string) =>
  fetch(address, { method: 'POST', headers: { accept: 'text/html' }, body: new URLSearchParams({ payload }) })

describe('a test service', () => {
  test('takes the form of a browser, and says what arrived and how it was answered [4.1-form]', async () => {
    await using service = await startTestService()
    const waiting = service.nextDelivery()
    const response = await postForm(service.audience, await sign(service, { ...kari, extra: { own: true } }))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Signed in.')
    const delivery = await waiting
    expect(delivery).toEqual({
      requestId: response.headers.get('x-request-id'),
      event: 'post',
      answer: 'signed-in',
      payload: { ...kari, extra: { own: true } },
      contact: { kind: 'created', contactId: expect.any(String) },
    })
    await postForm(service.audience, await sign(service))
    expect(service.deliveries().map(({ contact }) => contact?.kind)).toEqual(['created', 'selected'])
    expect(service.refusals()).toEqual([])
  })

  test('gives a server a one-time URL, which opens once', async () => {
    await using service = await startTestService()
    const { url } = await postPayload(service.audience, await sign(service))
    expect(await service.nextDelivery()).toMatchObject({ event: 'post', answer: 'link', payload: kari })
    expect((await fetch(url)).status).toBe(200)
    const opened = await service.nextDelivery()
    expect(opened).toMatchObject({ event: 'open', answer: 'signed-in', payload: kari })
    expect((await fetch(url)).status).toBe(410)
    expect(await service.nextRefusal()).toMatchObject({ code: 'ERR_LINK_GONE', status: 410 })
  })

  test('says why a post was refused, with the failing paths, whatever the answer was written as', async () => {
    await using service = await startTestService()
    const { audience, signing } = service
    const refused = signPayload(kari, signing, { audience: 'https://other.example/' })
    await expect(postPayload(audience, await refused)).rejects.toMatchObject({ code: 'ERR_POST_REFUSED' })
    expect(await service.nextRefusal()).toMatchObject({
      code: 'ERR_PAYLOAD_AUDIENCE',
      status: 401,
      sentence: expect.stringContaining('aud'),
      issues: [],
    })
    const token = await sign(service)
    await postForm(audience, token)
    const again = await postForm(audience, token)
    expect(await again.text()).toContain('This payload was used before.')
    expect(service.refusals().at(-1)).toMatchObject({ code: 'ERR_PAYLOAD_REPLAYED', status: 401 })
  })

  test('names the claims of another language’s token that are missing', async () => {
    await using service = await startTestService()
    const { SignJWT, importPKCS8 } = await import('jose')
    const key = await importPKCS8(service.signing.pem, 'ES256')
    const token = await new SignJWT({ organizationId: 'org-1', contact: { firstname: 'Kari' } })
      .setProtectedHeader({ alg: 'ES256', kid: service.signing.kid })
      .setAudience(service.audience)
      .setIssuedAt()
      .setExpirationTime('1m')
      .setJti('1')
      .sign(key)
    await postForm(service.audience, token)
    const { issues, status } = await service.nextRefusal()
    expect(status).toBe(422)
    expect(issues.map(({ path }) => path)).toEqual(['employeeId', 'contact.id'])
  })

  test('takes the partner’s own registration: keys, issuer, policy', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
    const issuer = 'https://journal.example'
    await using service = await startTestService({
      partner: { id: 'journal', issuer, policy: 'lenient', keys: [{ kind: 'spki', pem }] },
    })
    const own = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const key = await importSigningKey({ kind: 'pkcs8', pem: own })
    const token = await signPayload(kari, key, { audience: service.audience, issuer })
    expect((await postForm(service.audience, token)).status).toBe(200)
    expect(service.issuer).toBe(issuer)
    const wrong = await signPayload(kari, key, {
      audience: service.audience,
      issuer: 'https://other.example',
    })
    await postForm(service.audience, wrong)
    expect(await service.nextRefusal()).toMatchObject({ code: 'ERR_PAYLOAD_KEY' })
  })

  test('shows a first visit the log-in page, and lets the payload take effect after the log-in', async () => {
    await using service = await startTestService({ isFirstVisit: true })
    const response = await postForm(service.audience, await sign(service))
    expect(await response.text()).toContain('Log in.')
    expect(await service.nextDelivery()).toMatchObject({ event: 'post', answer: 'log-in' })
    const { organizationId, employeeId } = kari
    await service.linkEmployee({ organizationId, employeeId })
    const linked = await service.nextDelivery()
    expect(linked).toMatchObject({ event: 'log-in', answer: 'signed-in', contact: { kind: 'created' } })
    await postForm(service.audience, await sign(service))
    expect(await service.nextDelivery()).toMatchObject({ event: 'post', answer: 'signed-in' })

    await service.linkEmployee({ organizationId, employeeId: 'emp-8' })
    await postForm(service.audience, await sign(service, { ...kari, employeeId: 'emp-8' }))
    expect(await service.nextDelivery()).toMatchObject({
      answer: 'signed-in',
      payload: { employeeId: 'emp-8' },
    })
  })

  test('refuses to link an employee who does not wait while another one does', async () => {
    await using service = await startTestService({ isFirstVisit: true })
    await postForm(service.audience, await sign(service))
    await expect(
      service.linkEmployee({ organizationId: kari.organizationId, employeeId: 'emp-8' }),
    ).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter: 'employee' })
  })

  test('says what became of the last request when nothing new arrives', async () => {
    await using service = await startTestService()
    const saysLast = async (words: string) => {
      for (const next of [service.nextRefusal, service.nextDelivery])
        await expect(next({ timeoutMs: 1 })).rejects.toMatchObject({
          code: 'ERR_NO_DELIVERY',
          message: expect.stringContaining(words),
        })
    }
    await saysLast('Nothing was posted.')
    expect((await postForm(`${service.audience}/`, await sign(service))).status).toBe(404)
    await saysLast('another path: post to service.audience')
    await postForm(service.audience, await sign(service))
    await service.nextDelivery()
    await saysLast('was taken; deliveries() has 1 in all')
  })

  test.each([
    ['text', '{}', 'JSON.parse'],
    ['a list of two', [{}, {}], 'one registration'],
  ])('refuses %s as the partner', async (_what, partner, words) => {
    await expect(startTestService({ partner: partner as never })).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
      message: expect.stringContaining(words),
    })
  })

  test('has a clock of its own, so that a payload can expire', async () => {
    let now = new Date('2026-06-01T12:00:00Z')
    const clock = () => now
    await using service = await startTestService({ clock })
    const { audience, issuer, signing } = service
    const token = await signPayload(kari, signing, { audience, issuer, clock })
    now = new Date('2026-06-01T12:05:00Z')
    await postForm(audience, token)
    expect(await service.nextRefusal()).toMatchObject({ code: 'ERR_PAYLOAD_EXPIRED' })
  })

  test('ends its waits: by time, by a signal, and at once when it is closed', async () => {
    const service = await startTestService()
    const silent = await service.nextDelivery({ timeoutMs: 1 }).catch((error: NoDeliveryError) => error)
    expect(silent).toMatchObject({ code: 'ERR_NO_DELIVERY', waitedMs: 1 })
    expect(silent).toMatchObject({ message: 'Nothing new arrived within 1 ms. Nothing was posted.' })
    await fetch(service.audience)
    await expect(service.nextDelivery({ timeoutMs: 1 })).rejects.toThrow(
      'The last post was refused: This address takes POST only. (ERR_METHOD_NOT_ALLOWED)',
    )
    const reason = new Error('given up')
    const signal = AbortSignal.abort(reason)
    await expect(service.nextDelivery({ signal })).rejects.toBe(reason)
    const waiting = expect(service.nextDelivery()).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    await service.close()
    await service.close()
    await waiting
    await expect(service.nextDelivery()).rejects.toMatchObject({ code: 'ERR_CLOSING' })
    await expect(fetch(service.audience)).rejects.toThrow()
  })
})

describe('a test service answers tests in any language', () => {
  const ask = async (service: TestService, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(new URL(path, service.audience), init)
    return { status: response.status, value: Object(await response.json()) }
  }

  /** Sends what fetch does not. */
  const send = async ({ audience }: TestService, path: string, method = 'GET', headers = {}) => {
    const sent = httpRequest(audience, { path, method, headers }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, value: Object(await json(response)) }
  }

  test.each(testTokenKinds)('with a token for %s', async kind => {
    await using service = await startTestService()
    const { value } = await ask(service, `/tokens/${kind}`, {})
    const response = await postForm(service.audience, value.token)
    const { value: deliveries } = await ask(service, '/deliveries')
    expect(deliveries).toHaveLength(kind === 'valid' ? 1 : 0)
    const { value: refusals } = await ask(service, '/refusals')
    expect(refusals.map(({ code }: { code: string }) => code)).toEqual(kind === 'valid' ? [] : [kind])
    expect(response.status).toBe(kind === 'valid' ? 200 : refusals[0].status)
  })

  test('with the next delivery, of claims that the test has chosen', async () => {
    await using service = await startTestService()
    const waiting = ask(service, '/deliveries?wait=60000')
    const { contact } = kari
    const { value } = await ask(service, '/tokens/valid', {
      contact,
      employeeId: 'emp-9',
      jti: 'one',
      iss: null,
    })
    await postForm(service.audience, value.token)
    expect(await waiting).toMatchObject({
      status: 200,
      value: [{ payload: { contact, employeeId: 'emp-9' } }],
    })
    const code = 'ERR_NO_DELIVERY'
    expect(await ask(service, '/deliveries?wait=1')).toMatchObject({ status: 504, value: { code } })
  })

  test('and keeps a delivery for the next one who asks when a client gives up', async () => {
    await using service = await startTestService()
    const gone = new AbortController()
    const url = new URL('/deliveries?wait=60000', service.audience)
    const given = expect(fetch(url, { signal: gone.signal })).rejects.toThrow('abort')
    await ask(service, '/refusals')
    gone.abort()
    await given
    await ask(service, '/refusals')
    await postForm(service.audience, await sign(service))
    expect(await ask(service, '/deliveries?wait=10000')).toMatchObject({ value: [{ payload: kari }] })
  })

  test.each([
    ['another Host, as after DNS rebinding', { host: 'evil.example' }, 403],
    ['the Origin of another site', { origin: 'https://evil.example' }, 403],
    ['no Origin, in an image of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['nothing of a page', {}, 200],
  ])('with %s', async (_what, headers, status) => {
    await using service = await startTestService()
    for (const [method, path] of [
      ['POST', '/tokens/valid'],
      ['GET', '/deliveries'],
      ['GET', '/refusals'],
    ] as const)
      expect(await send(service, path, method, headers)).toMatchObject({
        status,
        value: status === 200 ? expect.anything() : { code: 'ERR_ORIGIN' },
      })
  })

  test('with what it does not take', async () => {
    await using service = await startTestService()
    const code = 'ERR_PARAMETER'
    for (const wait of ['', '0', '60001', 'soon'])
      expect(await ask(service, `/deliveries?wait=${wait}`)).toMatchObject({ status: 400, value: { code } })
    expect(await ask(service, '/tokens/valid', [])).toMatchObject({ status: 400, value: { code } })
    expect(await ask(service, '/tokens/valid', 'x'.repeat(200_000))).toMatchObject({
      status: 400,
      value: { code },
    })
    const body = `{"deep":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
    const deep = await fetch(new URL('/tokens/valid', service.audience), { method: 'POST', body })
    expect([deep.status, await deep.json()]).toMatchObject([400, { code }])
    for (const path of ['//', '//:99999/deliveries', 'http://[bad/deliveries', '//evil.example/deliveries'])
      expect(await send(service, path)).toMatchObject({ status: 404, value: { code: 'ERR_NOT_FOUND' } })
    const unknown = await ask(service, '/tokens/ERR_MEDIA_TYPE', {})
    expect(unknown).toMatchObject({ status: 404, value: { code: 'ERR_NOT_FOUND', kinds: testTokenKinds } })
    await expect(startTestService({ port: Number(new URL(service.audience).port) })).rejects.toMatchObject({
      code,
      parameter: 'options.port',
    })
  })
})

test('the guide’s first test passes as it stands', { timeout: 60_000 }, async () => {
  const guide = readFileSync(
    new URL('../../../../docs/guides/test-with-a-service.md', import.meta.url),
    'utf8',
  )
  const [, program = ''] = /^```ts\n(import assert[\s\S]*?)^```$/m.exec(guide) ?? []
  const args = ['-C', '@service-link/source', '--test-reporter=tap', '--input-type=module', '--eval', program]
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
  expect(stdout).toContain('# pass 1')
})
