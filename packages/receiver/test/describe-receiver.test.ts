import { discoverReceiver } from '@service-link/jwt-payload'
import { listen } from '@service-link/test-kit/serve'
import { expect, test } from 'vitest'
import { nodeHandler } from '../src/node/index.ts'
import { createTestReceiver } from './support/receiver.ts'

test('a receiver says where it is and what it takes, to any page, and nothing about its partners', async () => {
  const receiver = await createTestReceiver()
  await using server = await listen(nodeHandler(receiver))
  const address = `${server.origin}/partner/payload`
  const facts = await discoverReceiver(address)
  expect(facts).toMatchObject({
    address: receiver.urls[0],
    audiences: receiver.urls,
    policies: ['strict', 'lenient'],
    limits: { formBytes: 65_536, spanSeconds: 300, toleranceSeconds: 60, openSeconds: 60, logInSeconds: 600 },
  })
  const answer = await fetch(`${server.origin}/.well-known/partner-link`)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
    'content-type': 'application/json',
  })
  expect(await answer.text()).not.toMatch(/issuer|kid|lenient\.example/)
})

test.each([
  ['HEAD', 200],
  ['POST', 405],
])('%s is answered with %i', async (method, status) => {
  const { describe } = await createTestReceiver()
  const answer = describe(new Request('https://sso.example/.well-known/partner-link', { method }))
  expect(answer.status).toBe(status)
  if (status === 405) expect(answer.headers.get('allow')).toBe('GET')
  else expect(await answer.text()).toBe('')
})
