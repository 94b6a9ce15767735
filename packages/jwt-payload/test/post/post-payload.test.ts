import { keyText } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { describe, expect, test } from 'vitest'
import {
  PostOptionError,
  PostRefusedError,
  PostReplyError,
  PostTimeoutError,
  PostUnreachableError,
  postPayload,
} from '../../src/index.ts'

const given = 'Give the token alone.'
const fetched = 'Look at response.ok, and take await response.text().'

describe('[4.1-direct] postPayload', () => {
  test('posts the form field payload, asks for JSON, and gives the URL', async () => {
    const posts: unknown[] = []
    await using server = await serve(async request => {
      posts.push([request.method, request.headers.get('accept'), await request.text()])
      return Response.json({ url: 'https://sso.example/open/1' })
    })
    expect(await postPayload(server.origin, 'aa.bb.cc')).toEqual({ url: 'https://sso.example/open/1' })
    expect(posts).toEqual([['POST', 'application/json, application/problem+json', 'payload=aa.bb.cc']])
  })

  test.each([
    [
      'a proxy’s page',
      () => new Response('<h1>502</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
      PostRefusedError,
    ],
    [
      'a redirect',
      () => new Response(null, { status: 307, headers: { location: '/elsewhere' } }),
      PostReplyError,
    ],
    [
      'a page instead of JSON',
      () => new Response('<h1>ok</h1>', { headers: { 'content-type': 'text/html' } }),
      PostReplyError,
    ],
    ['a URL that is a script', () => Response.json({ url: 'javascript:alert(1)' }), PostReplyError],
    [
      'a URL with escape codes',
      () => Response.json({ url: 'https://sso.example/\u009b31m' }),
      PostReplyError,
    ],
    ['a URL of a file', () => Response.json({ url: 'file:///etc/hosts' }), PostReplyError],
    ['JSON without a URL', () => Response.json({ url: 17 }), PostReplyError],
    [
      'JSON that is none',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      PostReplyError,
    ],
  ])('%s does not count as success', async (_name, answer, errorClass) => {
    let requests = 0
    await using server = await serve(() => {
      requests++
      return answer()
    })
    await expect(postPayload(server.origin, 'a.b.c')).rejects.toBeInstanceOf(errorClass)
    expect(requests).toBe(1)
  })

  test.each([
    ['seconds', '17', 17],
    ['a time', 'Mon, 01 Jun 2026 12:00:30 GMT', undefined],
    ['nothing', '', undefined],
    ['a word', 'soon', undefined],
    ['a negative number', '-5', undefined],
    ['a number without end', '9'.repeat(400), undefined],
  ])('Retry-After as %s', async (_name, value, seconds) => {
    const headers = { 'retry-after': value }
    const posted = postPayload('https://sso.example/', 'a.b.c', {
      fetch: async () => new Response(null, { status: 503, headers }),
    })
    await expect(posted).rejects.toMatchObject({ retryAfterSeconds: seconds })
  })

  test.each([429, 502, 503, 504, 400, 401, 403, 500])(
    'status %i: is another payload worth a try?',
    async status => {
      const posted = postPayload('https://sso.example/', 'a.b.c', {
        fetch: async () => new Response(null, { status }),
      })
      const shouldRetry = [429, 502, 503, 504].includes(status)
      await expect(posted).rejects.toMatchObject({ code: 'ERR_POST_REFUSED', status, shouldRetry })
    },
  )

  test('a foreign answer is cut to one line, without the token', async () => {
    const answer = (problem: object, headers = {}) =>
      postPayload('https://sso.example/', 'tok.en.x', {
        fetch: async () =>
          new Response(JSON.stringify(problem), {
            status: 401,
            headers: { 'content-type': 'application/problem+json', ...headers },
          }),
      }).catch((error: unknown) => error)
    const type = 'https://docs.example/#err_payload_key'
    const echo = await answer({ type, code: 'ERR_PAYLOAD_KEY', detail: 'Not tok.en.x.', requestId: 'a b\nc' })
    expect(String(echo)).not.toContain('tok.en.x')
    expect(echo).toMatchObject({ refusalCode: 'ERR_PAYLOAD_KEY', type, requestId: undefined })
    const long = await answer(
      { type: 'about:blank', code: 17, detail: `one\r\ntwo${'a'.repeat(5000)}` },
      { 'x-request-id': 'id-1' },
    )
    expect(String(long)).toMatch(/: one twoa{900,1000} Request id-1\.$/)
    expect(long).toMatchObject({ refusalCode: undefined, type: undefined, requestId: 'id-1' })
  })

  const token = [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJvcmdhbml6YXRpb25JZCI6Im8iLCJlbXBsb3llZUlkIjoiZSJ9',
    'c2lnbmF0dXJlLW9mLXRoaXMtdG9rZW4tZm9yLWEtdGVzdA',
  ].join('.')
  const [header = '', claims = '', signature = ''] = token.split('.')

  test.each([
    ['all of the token', token],
    ['its claims', claims],
    ['its claims without their first characters', claims.slice(7)],
    ['its signature', signature],
    ['a part of its signature', signature.slice(5, 25)],
    ['the token in lines', (token.match(/.{1,10}/g) ?? []).join('\r\n')],
    ['the token without its dots', token.replaceAll('.', ' ')],
    ['the beginning of another token', header.slice(0, 12)],
    ['the beginning of one with white space in its header', btoa('{ "alg"')],
    ['the beginning of one with a line break in its header', btoa('{\n"alg"')],
  ])('a sentence that holds %s is dropped', async (_name, part) => {
    const detail = `Could not read ${part}, sorry`
    const error = await refusedWith(token, { code: 'ERR_PAYLOAD_KEY', detail, requestId: 'id-1' })
    expect(String(error)).toBe('PostRefusedError: The service answered 401 ERR_PAYLOAD_KEY. Request id-1.')
  })

  test.each([
    ['claims', claims.slice(0, 128)],
    ['a part of the claims', claims.slice(9, 29)],
    ['a signature', signature],
    ['a token', token.slice(0, 128)],
  ])('a request id that holds %s is dropped, from body and header', async (_name, id) => {
    const ofBody = await refusedWith(token, { code: 'ERR_PAYLOAD_KEY', requestId: id })
    const ofHeader = await refusedWith(token, { code: 'ERR_PAYLOAD_KEY' }, { 'x-request-id': id })
    for (const error of [ofBody, ofHeader]) {
      expect(error).toMatchObject({ requestId: undefined })
      expect(String(error)).toBe('PostRefusedError: The service answered 401 ERR_PAYLOAD_KEY.')
    }
  })

  test('a harmless sentence and id are passed on', async () => {
    const detail = 'No partner is registered for the header’s kid or the claim iss.'
    const requestId = '0c7a3d52-9f6b-4b8e-8a38-2f1c5b9de001'
    const error = await refusedWith(token, { code: 'ERR_PAYLOAD_KEY', detail, requestId })
    expect(error).toMatchObject({ requestId, message: expect.stringContaining(detail) })
  })

  test('a URL to open is passed on in encoded form, without terminal control characters', async () => {
    const posted = postPayload('https://sso.example/', 'a.b.c', {
      fetch: async () => Response.json({ url: 'HTTPS://SSO.example/open/\u202e\u200bx?q=\u2066y' }),
    })
    expect(await posted).toEqual({ url: 'https://sso.example/open/%E2%80%AE%E2%80%8Bx?q=%E2%81%A6y' })
  })

  test('an endless reply is read up to 1 MiB and canceled', async () => {
    const [chunk, limit] = [new Uint8Array(64 * 1024).fill(0x61), 1024 * 1024]
    let pulled = 0
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: controller => {
        pulled += chunk.length
        // The stream ends, so the test ends even without the limit.
        if (pulled > 4 * limit) controller.close()
        else controller.enqueue(chunk)
      },
      cancel: () => {
        cancelled = true
      },
    })
    const posted = postPayload('https://sso.example/partner/payload', 'a.b.c', {
      fetch: async () => new Response(body, { headers: { 'content-type': 'text/html' } }),
    })
    await expect(posted).rejects.toBeInstanceOf(PostReplyError)
    expect(pulled).toBeLessThan(limit + 3 * chunk.length)
    expect(cancelled).toBe(true)
  })

  test('a service that is slow or absent times out or is unreachable', async () => {
    const stop = new AbortController()
    await using server = await serve(() => new Promise<Response>(() => undefined))
    const post = (options: { timeoutMs?: number; signal?: AbortSignal }) =>
      postPayload(server.origin, 'a.b.c', options)
    await expect(post({ timeoutMs: 20 })).rejects.toBeInstanceOf(PostTimeoutError)
    const aborted = post({ signal: stop.signal })
    stop.abort(new RangeError('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await server[Symbol.asyncDispose]()
    await expect(post({})).rejects.toBeInstanceOf(PostUnreachableError)
  })

  test('a service that is not reached is told by host and reason, without path, query and token', async () => {
    const closed = await serve(() => new Response())
    await closed[Symbol.asyncDispose]()
    const refused = postPayload(`${closed.origin}/partner/payload?secret=1`, 'aa.bb.cc')
    await expect(refused).rejects.toMatchObject({
      host: `127.0.0.1:${closed.port}`,
      reason: 'ECONNREFUSED',
      message: `The service cannot be reached at 127.0.0.1:${closed.port}: ECONNREFUSED. Nothing listens at that port.`,
    })
  })

  test.each([
    [{ cause: { code: 'ENOTFOUND' } }, 'ENOTFOUND. The name has no address.'],
    [{ cause: { code: 'CERT_HAS_EXPIRED' } }, 'CERT_HAS_EXPIRED. The server’s certificate has expired.'],
    [{ cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } }, 'VERSION_NUMBER. The port speaks no TLS.'],
    [{ code: 'SOME_OTHER' }, 'at sso.example: SOME_OTHER.'],
    [{ cause: { code: 'post to /partner failed' } }, 'at sso.example.'],
    [{}, 'at sso.example.'],
  ])('the reason %j of a given fetch is told if it is a code', async (facts, words) => {
    const fetch = async () => {
      throw Object.assign(new TypeError('fetch failed for aa.bb.cc'), facts)
    }
    const posted = postPayload('https://sso.example/partner/payload', 'aa.bb.cc', { fetch })
    await expect(posted).rejects.toThrow(words)
  })

  test('a fetch that ignores its signal is given up before and after its headers', async () => {
    const endless = new Response(new ReadableStream<Uint8Array>({}), {
      headers: { 'content-type': 'text/html' },
    })
    for (const answer of [new Promise<Response>(() => undefined), Promise.resolve(endless)]) {
      const posted = postPayload('https://sso.example/', 'a.b.c', {
        timeoutMs: 20,
        fetch: () => answer,
      })
      await expect(posted).rejects.toBeInstanceOf(PostTimeoutError)
    }
  })

  test.each([
    '/partner/payload',
    'ftp://sso.example/',
    '',
    'https:sso.example/partner/payload',
    'https://journal:secret-word@sso.example/partner/payload',
    'https://journal@sso.example/partner/payload',
  ])('the address %j is refused without a request, and the error does not quote it', async url => {
    const { error, requests } = await refusedUnsent(url, 'a.b.c')
    expect(error).toBeInstanceOf(PostOptionError)
    expect(requests).toBe(0)
    expect(String(error)).not.toMatch(/secret-word|journal/)
  })

  test.each([
    ['a private key', keyText('rsa', 'privatePem'), 'text with white space', given],
    ['a certificate', keyText('certificate', 'pem'), 'text with white space', given],
    ['claims that nobody signed', '{"organizationId":"o"}', 'JSON', given],
    ['two parts', 'aa.bb', 'other text', fetched],
    ['a token with a line break', 'aa.bb.cc\n', 'text with white space', given],
    ['a quoted token', '"aa.bb.cc"', 'JSON', given],
    ['a header', 'Bearer aa.bb.cc', 'text with white space', given],
    ['an escaped token', 'aa&#x2B;.bb.cc', 'HTML-escaped', given],
    ['nothing', '', 'empty', fetched],
    ['an error page', '\n<!doctype html>', 'HTML', fetched],
    ['a response', new Response('aa.bb.cc'), 'a Response', fetched],
    ['a forgotten return', undefined, 'something of the type undefined', fetched],
    ['an object', { token: 'aa.bb.cc' }, 'something of the type object', given],
    ['a promise', Promise.resolve('aa.bb.cc'), 'a promise', given],
  ])('%s in place of a token is named, and neither sent nor quoted', async (_name, value, kind, advice) => {
    const { error, requests } = await refusedUnsent('https://sso.example/partner/payload', value)
    expect(error).toBeInstanceOf(PostOptionError)
    expect(requests).toBe(0)
    expect(String(error)).toBe(`PostOptionError: token is ${kind}, not a compact JWT. ${advice}`)
  })
})

/** Posts with a fetch that fails the test. */
async function refusedUnsent(url: string, token: unknown): Promise<{ error: unknown; requests: number }> {
  let requests = 0
  const fetch = async () => {
    requests++
    return Response.json({ url: 'https://sso.example/' })
  }
  const error = await postPayload(url, token as string, { fetch }).catch((failure: unknown) => failure)
  return { error, requests }
}

/** The error of a post whose service answers 401 with this problem. */
function refusedWith(token: string, problem: object, headers = {}): Promise<unknown> {
  return postPayload('https://sso.example/', token, {
    fetch: async () =>
      new Response(JSON.stringify(problem), {
        status: 401,
        headers: { 'content-type': 'application/problem+json', ...headers },
      }),
  }).catch((error: unknown) => error)
}
