import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { Agent, type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPartnerKey, type PartnerKey } from '../../src/testing/partner-key.ts'
import { post as postTo, sign as signAt } from '../support/post.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'

// An address that no other test uses: another process could take a closed port at once.
const host = process.platform === 'linux' ? '127.0.79.1' : '127.0.0.1'
const publicUrl = 'http://service.example'

/** A service with one partner, in a separate process. */
async function start(environment: NodeJS.ProcessEnv) {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'service-link-operations-')))
  const file = join(folder.path, 'partners.json')
  const key = await createPartnerKey()
  await writeFile(file, JSON.stringify([key.registration]))
  const data = { SERVICE_DATA: join(folder.path, 'data'), PARTNERS_FILE: file }
  const service = resources.use(
    await startProcess({ HOST: host, PUBLIC_URL: publicUrl, ...data, ...environment }),
  )
  const owned = resources.move()
  return { service, key, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const sign = (key: PartnerKey) => signAt({ service: { url: publicUrl }, key })

const post = async ({ address }: { address: string }, key: PartnerKey) =>
  postTo({ service: { url: address } }, await sign(key), 'application/problem+json')

/** Begins a post without its body; resolves when the service has started on it. */
async function beginPost({ address }: { address: string }): Promise<ClientRequest> {
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

/** Waits until connecting fails. */
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

test('at SIGTERM a running post is answered, new clients are refused, and it exits with 0', async () => {
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

test('while draining it is not ready and still answers; a second signal ends it at once', async () => {
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
