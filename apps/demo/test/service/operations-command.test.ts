import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { signPayload } from '@service-link/jwt-payload'
import { expect, test } from 'vitest'
import { createPartnerKey, type PartnerKey } from '../../src/partner/create-partner.ts'
import { visit } from '../support/post.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'

// An address that no other test listens on: the port that the service gives up could be somebody else's at once.
const host = process.platform === 'linux' ? '127.0.79.1' : '127.0.0.1'
const publicUrl = 'http://service.example'

/** A service in a process of its own, with one partner. */
async function start(environment: NodeJS.ProcessEnv = {}) {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-operations-')))
  const file = join(folder.path, 'partners.json')
  const key = await createPartnerKey()
  const register = (...keys: PartnerKey[]) =>
    writeFile(file, JSON.stringify(keys.map(({ registration }) => registration)))
  await register(key)
  const service = resources.use(
    await startProcess({
      HOST: host,
      PUBLIC_URL: publicUrl,
      SERVICE_DATA: join(folder.path, 'data'),
      PARTNERS_FILE: file,
      ...environment,
    }),
  )
  const owned = resources.move()
  return { service, key, register, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const sign = ({ signing, issuer }: PartnerKey) =>
  signPayload(visit, signing, { audience: `${publicUrl}/partner/payload`, issuer })

async function post({ address }: ServiceProcess, key: PartnerKey): Promise<Response> {
  return fetch(`${address}/partner/payload`, {
    method: 'POST',
    headers: { accept: 'application/problem+json' },
    body: new URLSearchParams({ payload: await sign(key) }),
  })
}

/** Begins a post whose body is still to come; resolves when the service has begun with it. */
async function beginPost({ address }: ServiceProcess): Promise<ClientRequest> {
  const slow = request(`${address}/partner/payload`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' },
  })
  slow.flushHeaders()
  await once(slow, 'continue')
  return slow
}

async function answerOf(slow: ClientRequest): Promise<IncomingMessage> {
  const [answer] = await once(slow, 'response')
  return answer
}

/** Waits until nobody can connect any more. */
async function untilRefused({ address }: ServiceProcess): Promise<void> {
  const { hostname, port } = new URL(address)
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    const isRefused = await promise
    socket.destroy()
    if (isRefused) return
    await delay(10)
  }
}

test('at SIGTERM a post in flight gets its answer, nobody else comes in, and it ends with 0', async () => {
  await using running = await start({ GRACE_SECONDS: '120' })
  const slow = await beginPost(running.service)
  const ended = running.service.kill('SIGTERM')
  await untilRefused(running.service)
  slow.end(new URLSearchParams({ payload: await sign(running.key) }).toString())
  const answer = await answerOf(slow)
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  expect(await text(answer)).toContain('service-link-boot')
  expect(await ended).toEqual({ code: 0, signal: null })
})

test('a request that takes longer than the grace is cut off, and it ends with 0', async () => {
  await using running = await start({ GRACE_SECONDS: '0' })
  const slow = await beginPost(running.service)
  const cut = once(slow, 'error')
  expect(await running.service.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await cut).toMatchObject([{ code: 'ECONNRESET' }])
})

test('while it drains it says that it is not ready and still answers; a second signal ends it at once', async () => {
  await using running = await start({ DRAIN_SECONDS: '600' })
  const { service, key } = running
  const ready = () => fetch(`${service.address}/health/ready`)
  expect((await ready()).status).toBe(200)
  const ended = service.kill('SIGTERM')
  let answer = await ready()
  while (answer.status === 200) {
    await delay(10)
    answer = await ready()
  }
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toEqual({ status: 'failing', parts: { process: 'failing', database: 'ok' } })
  expect((await fetch(`${service.address}/health/live`)).status).toBe(200)
  expect((await post(service, key)).status).toBe(200)
  const pool = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const path of ['/health/ready', '/api/session', '/', '/api/nowhere', '/health/live']) {
    const asked = await answerOf(get(`${service.address}${path}`, { agent: pool }))
    await text(asked)
    expect([path, asked.headers.connection]).toEqual([path, 'close'])
  }
  void service.kill('SIGTERM')
  expect((await ended).code).toBe(143)
})

test('metrics are served at an address of their own', async () => {
  await using running = await start({ METRICS_PORT: '0' })
  const { service, key } = running
  await post(service, key)
  const [, metricsUrl = ''] = /^Metrics: (.+)$/m.exec(service.output.join('\n')) ?? []
  const metrics = await (await fetch(metricsUrl)).text()
  expect(metrics).toContain(`service_partner_link_total{outcome="log-in",partner="${key.partnerId}"} 1`)
  expect(metrics).toMatch(/_count\{method="POST",route="\/partner\/payload",status="200"\} 1/)
  expect((await fetch(`${service.address}/metrics`)).headers.get('content-type')).toContain('text/html')
})

test('a key is exchanged in the partners’ file while the service runs; a broken file changes nothing', async () => {
  await using running = await start({ LOG_LEVEL: 'info' })
  const { service, key, register } = running
  const next = await createPartnerKey()
  await register({ ...key, registration: { ...key.registration, name: '' } })
  while (!service.output.some(line => line.includes('partners file refused'))) await delay(50)
  expect((await post(service, key)).status).toBe(200)
  await register(next)
  let answer = await post(service, next)
  while (answer.status === 401) {
    await delay(50)
    answer = await post(service, next)
  }
  expect(answer.status).toBe(200)
  const refused = await post(service, key)
  expect(refused.status).toBe(401)
  expect(service.output.join('\n')).not.toMatch(/"d":|BEGIN/)
})
