import { once } from 'node:events'
import { type RequestListener, request } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { listen } from '@service-link/test-kit/serve'
import express from 'express'
import fastify from 'fastify'
import helmet from 'helmet'
import { afterAll, describe, expect, test } from 'vitest'
import { type NodeHandler, nodeHandler } from '../../src/node/index.ts'
import { ada, createTestReceiver } from '../support/receiver.ts'

// The types are those of Express 5.
const express4: typeof express = createRequire(import.meta.url)('express-4')

const receiver = await createTestReceiver()
await receiver.logIn(ada.id)
const running: (() => unknown)[] = []
afterAll(() => {
  for (const stop of running) stop()
})

const handler = nodeHandler(receiver)
const form = 'application/x-www-form-urlencoded'

/** Servers that leave the body to the handler. */
const servers = {
  'node:http': await start(handler),
  'Express with a route': await start(
    express()
      .all('/partner/payload', handler)
      .all('/partner/payload/open/:handle', (asked, answer, next) => handler(asked, answer, next)),
  ),
  'Express with a mount point': await start(express().use('/partner', handler)),
  Fastify: await startFastify(handler),
}

/** Servers whose parser reads the body first. */
const parsingServers = {
  'Express behind qs': await start(express().use(express.urlencoded({ extended: true }), handler)),
  'Express 4 behind node:querystring': await start(
    express4().use(express4.urlencoded({ extended: false }), express4.json(), handler),
  ),
}

/** Servers whose parser gives the body as it is. */
const wholeServers = {
  'Express behind text': await start(express().use(express.text({ type: '*/*' }), handler)),
  'Express behind raw': await start(express().use(express.raw({ type: '*/*' }), handler)),
}

const all = { ...servers, ...parsingServers, ...wholeServers }

describe.each(Object.entries(all))('%s', (_name, origin) => {
  const address = `${origin}/partner/payload`
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      body,
      headers: { 'content-type': form, accept: 'text/html', ...headers },
    })

  test('answers a post with the page and its cookie', async () => {
    const response = await post(`payload=${await receiver.sign()}`)
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-service-session=/)])
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-")
    expect(await response.text()).toContain(ada.displayName)
  })

  test('opens a one-time URL', async () => {
    const answer = await post(`payload=${await receiver.sign()}`, { accept: 'application/json' })
    const { url } = Object(await answer.json())
    const { pathname } = new URL(url)
    expect((await fetch(`${origin}${pathname}`, { method: 'PUT' })).status).toBe(405)
    expect(await (await fetch(`${origin}${pathname}`)).text()).toContain(ada.displayName)
    expect((await fetch(`${origin}${pathname}`)).status).toBe(410)
  })

  test('refuses what the receiver refuses', async () => {
    const token = await receiver.sign()
    expect(await codeOf(await post(`payload=${token}&payload=${token}`))).toBe('ERR_PAYLOAD_MALFORMED')
    expect(await codeOf(await post('other=1'))).toBe('ERR_PAYLOAD_MISSING')
    expect(await codeOf(await post(''))).toBe('ERR_PAYLOAD_MISSING')
    expect(await codeOf(await post('{}', { 'content-type': 'application/json' }))).toBe('ERR_MEDIA_TYPE')
    expect(await codeOf(await post(`payload=${'a'.repeat(70_000)}`))).toBe('ERR_PAYLOAD_TOO_LARGE')
    expect(await codeOf(await fetch(address))).toBe('ERR_METHOD_NOT_ALLOWED')
    expect(await traced(origin)).toContain(' 405 ')
    expect((await post(`payload=${token}`)).status).toBe(200)
    expect(await codeOf(await post(`payload=${token}`))).toBe('ERR_PAYLOAD_REPLAYED')
  })

  test('answers a script of another origin, and its preflight', async () => {
    const script = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    const headers = { ...script, 'access-control-request-method': 'POST' }
    const preflight = await fetch(address, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(script.origin)
    expect([preflight.status, await preflight.text()]).toEqual([200, ''])
    expect((await fetch(address, { method: 'PUT', headers })).status).toBe(405)
    expect(await codeOf(await post(`payload=${await receiver.sign()}`, script))).toBe('ERR_CROSS_ORIGIN')
  })

  test('leaves other addresses alone', async () => {
    for (const path of ['/', '/partner/payloads', '/partner/payload/', '/partner'])
      expect((await fetch(`${origin}${path}`, { method: 'POST' })).status, path).toBe(404)
  })
})

describe.each(Object.entries({ ...servers, ...wholeServers }))('%s', (_name, origin) => {
  test('counts a body of unknown length, and the next request of the connection is answered', async () => {
    const token = await receiver.sign()
    expect(await chunked(origin, [`payload=${token}`])).toBe(200)
    const large = Array.from({ length: 80 }, () => 'x'.repeat(1000))
    expect(await chunked(origin, ['payload=', ...large])).toBe(413)
    const response = await fetch(`${origin}/partner/payload`, {
      method: 'POST',
      headers: { 'content-type': form },
      body: `payload=${token}&x=%2E`,
    })
    expect(await codeOf(response)).toBe('ERR_PAYLOAD_REPLAYED')
  })
})

describe.each(Object.entries(parsingServers))('%s', (_name, origin) => {
  test.each([
    ['payload[]', (token: string) => `payload[]=${token}`],
    ['payload[0]', (token: string) => `payload%5B0%5D=${token}`],
    ['payload[x]', (token: string) => `payload[x]=${token}`],
    ['an escape in another field', (token: string) => `payload=${token}&note=%C3%A5`],
  ])('refuses %s, which the parser may have changed', async (_what, write) => {
    const response = await fetch(`${origin}/partner/payload`, {
      method: 'POST',
      headers: { 'content-type': form },
      body: write(await receiver.sign()),
    })
    // With node:querystring these are fields of another name.
    expect(await codeOf(response)).toMatch(/^ERR_PAYLOAD_(MALFORMED|MISSING)$/)
  })

  test('takes fields beside the payload, and no body of unknown length', async () => {
    const response = await fetch(`${origin}/partner/payload`, {
      method: 'POST',
      body: new URLSearchParams({ payload: await receiver.sign(), label: 'Open it' }),
    })
    expect(response.status).toBe(200)
    expect(await chunked(origin, [`payload=${await receiver.sign()}`])).toBe(400)
  })
})

test('a parser that keeps the last of two fields hides neither', async () => {
  const origin = await start((asked, answer) => {
    const chunks: Buffer[] = []
    asked
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        const body = Object.fromEntries(new URLSearchParams(String(Buffer.concat(chunks))))
        handler(Object.assign(asked, { body }), answer)
      })
  })
  const send = async (prefix: string) =>
    fetch(`${origin}/partner/payload`, {
      method: 'POST',
      headers: { 'content-type': form },
      body: `${prefix}payload=${await receiver.sign()}`,
    })
  expect((await send('')).status).toBe(200)
  expect(await codeOf(await send('payload=first&'))).toBe('ERR_PAYLOAD_MALFORMED')
  // The escapes would make up for the length of the lost field.
  expect(await codeOf(await send('payload=first&x=!!!!!!!&'))).toBe('ERR_PAYLOAD_MALFORMED')
})

test('a client that goes away aborts the request’s signal', async () => {
  const { promise: reason, resolve } = Promise.withResolvers<unknown>()
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const waiting = nodeHandler({
    ...receiver,
    receive: async ({ signal }) => {
      signal.addEventListener('abort', () => resolve(signal.reason))
      begin()
      await reason
      return new Response()
    },
  })
  const client = request(`${await start(waiting)}/partner/payload`, { method: 'POST' })
  client.on('error', () => undefined).end()
  await began
  client.destroy()
  expect(await reason).toMatchObject({ name: 'AbortError' })
})

test('the public address is the receiver’s, whatever the headers say, also below another path', async () => {
  const seen: string[] = []
  const proxied = nodeHandler(
    {
      ...receiver,
      receive: async asked => {
        seen.push(asked.url)
        return new Response()
      },
    },
    { path: '/inner' },
  )
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  await fetch(`${await start(proxied)}/inner?x=1`, { method: 'POST', headers })
  expect(seen).toEqual(['https://sso.example/partner/payload'])
})

test.each(['', 'inner', '/inner?x', '/inner#x', 'https://sso.example/inner', '/my path', '/*', '/:partner'])(
  'the path %j, which no request has, is refused',
  path => {
    expect(() => nodeHandler(receiver, { path })).toThrow(
      'options.path must be a path such as /partner/payload',
    )
  },
)

test('a method of the receiver is refused', () => {
  const make = () => Reflect.apply(nodeHandler, undefined, [receiver.receive])
  expect(make).toThrow('receiver must be the receiver itself, not one of its methods')
})

test.each(['/', '/inner/'])('one-time URLs of a post at %j open', async path => {
  const origin = 'https://sso.example'
  const ending = await createTestReceiver({ url: `${origin}${path}` })
  const local = await start(nodeHandler(ending))
  const body = `payload=${await ending.sign({}, { audience: `${origin}${path}` })}`
  const headers = { 'content-type': form, accept: 'application/json' }
  const answer = await fetch(`${local}${path}`, { method: 'POST', body, headers })
  const opened = new URL(Object(await answer.json()).url)
  expect(opened.href).toMatch(RegExp(`^${origin}${path}open/[\\w-]{43}$`))
  expect((await fetch(`${local}${opened.pathname}`)).status).toBe(200)
})

test('the receiver’s headers replace those of a middleware, and cookies of both stay', async () => {
  const app = express()
    .use(helmet(), (_asked, answer, next) => {
      answer.cookie('mine', '1')
      next()
    })
    .use(handler)
  const response = await fetch(`${await start(app)}/partner/payload`, {
    method: 'POST',
    body: new URLSearchParams({ payload: await receiver.sign() }),
  })
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'self'; script-src 'self' 'nonce-/,
  )
  expect(response.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  expect(response.headers.getSetCookie().map(cookie => cookie.split('=')[0])).toEqual([
    'mine',
    '__Host-service-session',
  ])
})

test('Fastify’s own request and reply are refused with the words for them', async () => {
  const app = fastify()
  running.push(() => app.close())
  app.all('/partner/payload', async (asked, reply) => Reflect.apply(handler, undefined, [asked, reply]))
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${origin}/partner/payload`)
  expect(Object(await answer.json()).message).toContain('Write handler(request.raw, reply.raw) with Fastify')
})

test('an answer that fails goes to next, or is a 500 without a reason', async () => {
  const failing = nodeHandler({ ...receiver, receive: () => Promise.reject(new Error('secret')) })
  const response = await fetch(`${await start(failing)}/partner/payload`, { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([500, ''])
})

async function codeOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return /ERR_[A-Z_]+/.exec(text)?.[0] ?? text
}

async function start(listener: RequestListener): Promise<string> {
  const server = await listen(listener)
  running.push(() => server[Symbol.asyncDispose]())
  return server.origin
}

/** Fastify with a parser of forms, beside which the receiver reads its own. */
async function startFastify(answer: NodeHandler): Promise<string> {
  const app = fastify()
  const parsed = { parseAs: 'string' } as const
  app.addContentTypeParser(form, parsed, async (_request: unknown, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  )
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/partner/*', async (asked, reply) => {
      reply.hijack()
      await answer(asked.raw, reply.raw)
    })
  })
  running.push(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** Posts in chunks over a connection of its own, and sends one more request over it. */
function chunked(origin: string, chunks: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const client = request(`${origin}/partner/payload`, { method: 'POST', headers: { 'content-type': form } })
    client.on('error', reject).on('response', response => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    for (const chunk of chunks) client.write(chunk)
    client.end()
  })
}

/** The first line of the answer to a TRACE, which `fetch` does not send. */
async function traced(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write('TRACE /partner/payload HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n')[0] ?? ''
}
