import { expect, test } from 'vitest'
import { ApiClient, logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { startService } from '../support/service.ts'

const { ingrid, samuel } = accounts
const wrong = { email: ingrid.email, password: 'not-the-password' }

test('after ten wrong passwords one account refuses unknown browsers for a while', async () => {
  await using running = await startService()
  const stranger = new ApiClient(running.service)
  for (let count = 0; count < 9; count++) expect(await stranger.logIn(wrong)).toBe(401)
  expect(await stranger.logIn({ ...wrong, email: ingrid.email.toUpperCase() })).toBe(401)
  const refused = await stranger.send('POST', '/api/auth/sign-in/email', ingrid)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
  expect(await refused.text()).not.toContain(ingrid.email)
  expect(await new ApiClient(running.service).logIn(ingrid)).toBe(429)
  expect(await stranger.logIn(samuel)).toBe(200)
  // A cookie for another account opens nothing here.
  expect(await stranger.logIn(ingrid)).toBe(429)
})

test('a browser with an earlier log-in of the owner still works, with a separate count', async () => {
  await using running = await startService()
  const known = await logInAs(running.service, samuel)
  expect(await known.logIn(ingrid)).toBe(200)
  await known.send('POST', '/api/auth/sign-out', {})
  const stranger = new ApiClient(running.service)
  for (let count = 0; count < 10; count++) await stranger.logIn(wrong)
  expect(await stranger.logIn(ingrid)).toBe(429)
  expect(await known.logIn(ingrid)).toBe(200)
  for (let count = 0; count < 10; count++) expect(await known.logIn(wrong)).toBe(401)
  expect(await known.logIn(ingrid)).toBe(429)
  expect(await known.logIn(samuel)).toBe(200)
})

test('right passwords are not counted', async () => {
  await using running = await startService()
  for (let count = 0; count < 12; count++)
    expect(await new ApiClient(running.service).logIn(ingrid)).toBe(200)
})

test('an unknown account is answered like a known one', async () => {
  await using running = await startService()
  const stranger = new ApiClient(running.service)
  const nobody = { ...wrong, email: 'nobody@fjordklinikken.example' }
  for (let count = 0; count < 10; count++) expect(await stranger.logIn(nobody)).toBe(401)
  expect(await stranger.logIn(nobody)).toBe(429)
})

test('a cookie without the service’s signature makes no browser known', async () => {
  await using running = await startService()
  const known = await logInAs(running.service, ingrid)
  const stranger = new ApiClient(running.service)
  for (let count = 0; count < 10; count++) await stranger.logIn(wrong)
  const [pair] = known.cookies.split('; ').filter(part => part.includes('known'))
  expect(await known.logIn(ingrid)).toBe(200)
  const forged = await fetch(`${running.service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      cookie: (pair ?? '').replace(/.{8}$/, 'AAAAAAA%3D'),
      'content-type': 'application/json',
      origin: running.service.url,
    },
    body: JSON.stringify(ingrid),
  })
  expect(forged.status).toBe(429)
})
