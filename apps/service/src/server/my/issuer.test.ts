import { expect, test } from 'vitest'
import { listen } from '../../http-server/listen.ts'
import '../../../test/support/localhost.ts'
import { issuerConnection } from './issuer.ts'

const hourMs = 60 * 60 * 1000

/** An issuer that only describes itself; `fails` of the first requests are answered with 500. */
async function startIssuer() {
  const listening = await listen({ host: '127.0.0.1', port: 0 })
  const issuer = `http://127.0.0.1:${listening.port}`
  const asked = { times: 0, failures: 0 }
  listening.answer(() => {
    asked.times += 1
    if (asked.times <= asked.failures) return new Response('', { status: 500 })
    return Response.json({ issuer, authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/jwks` })
  })
  return { issuer, asked, [Symbol.asyncDispose]: () => listening.close() }
}

const settingsFor = (issuer: string) => ({ issuer, clientId: 'my', clientSecret: 'secret' })
const unavailable = expect.objectContaining({ code: 'ERR_EID_UNAVAILABLE' })

test('an issuer is asked when it is first needed, once for all who wait, and again after an hour', async () => {
  await using running = await startIssuer()
  let now = 0
  const connection = issuerConnection(settingsFor(running.issuer), { now: () => now })
  expect(running.asked.times).toBe(0)
  expect(connection.known()).toBeUndefined()
  const [first, second] = await Promise.all([connection.get(), connection.get()])
  expect(second).toBe(first)
  now = hourMs - 1
  expect(await connection.get()).toBe(first)
  expect(running.asked.times).toBe(1)
  now = hourMs
  expect(await connection.get()).not.toBe(first)
  expect(running.asked.times).toBe(2)
})

test('one failure is tried again; two are said so, and the next visitor asks anew', async () => {
  await using running = await startIssuer()
  running.asked.failures = 3
  const connection = issuerConnection(settingsFor(running.issuer))
  await expect(connection.get()).rejects.toEqual(unavailable)
  expect(running.asked.times).toBe(2)
  await connection.get()
  expect(running.asked.times).toBe(4)
})

test('what is known of an issuer that is down is used on', async () => {
  const running = await startIssuer()
  let now = 0
  const connection = issuerConnection(settingsFor(running.issuer), { now: () => now })
  const known = await connection.get()
  await running[Symbol.asyncDispose]()
  now = hourMs
  expect(await connection.get()).toBe(known)
  expect(connection.known()).toBe(known)
})

test.each([
  ['that does not answer', undefined],
  [
    'that describes another one',
    { issuer: 'https://other.example', authorization_endpoint: 'https://other.example/auth' },
  ],
])('an issuer %s is not used', async (_name, description) => {
  const listening = await listen({ host: '127.0.0.1', port: 0 })
  if (description) listening.answer(() => Response.json(description))
  const settings = settingsFor(`http://127.0.0.1:${listening.port}`)
  await expect(issuerConnection(settings, { answerSeconds: description ? 5 : 0.1 }).get()).rejects.toEqual(
    unavailable,
  )
  await listening.close(0)
})
