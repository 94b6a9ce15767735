import { expect } from 'vitest'
import { demoAccounts } from '../../src/server/demo-data.ts'

/** A running service: its public address, and the address at which it listens. */
interface Asked {
  readonly publicUrl: string
  readonly address: string
}

async function ready({ address }: Asked) {
  const answer = await fetch(`${address}/health/ready`)
  return [answer.status, (await answer.json()).parts.database]
}

function logIn({ publicUrl, address }: Asked): Promise<Response> {
  const [account] = demoAccounts
  return fetch(`${address}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: publicUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ email: account?.email, password: account?.password }),
  })
}

/**
 * A log-in is answered with 503, and the service says that it takes no requests.
 *
 * @param hasPage whether the start of a patient's log-in is affected too, and answered by a page
 */
export async function expectOutage(asked: Asked, { hasPage = true } = {}): Promise<void> {
  const answer = await logIn(asked)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([503, []])
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await answer.json()).toMatchObject({ code: 'ERR_UNAVAILABLE', status: 503 })
  const page = await fetch(`${asked.address}/my/log-in`, { redirect: 'manual' })
  const code = /data-code="(\w+)"/.exec(await page.text())?.[1]
  expect([page.status, code, page.headers.get('retry-after')]).toEqual(
    hasPage ? [503, 'ERR_UNAVAILABLE', '60'] : [404, 'ERR_EID_NOT_SET_UP', null],
  )
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await ready(asked)).toEqual([503, 'failing'])
  expect((await fetch(`${asked.address}/health/live`)).status).toBe(200)
}

/** The service takes requests, at the latest when it has noticed that the fault is gone. */
export async function expectRecovery(asked: Asked): Promise<void> {
  await expect.poll(() => ready(asked), { timeout: 60_000 }).toEqual([200, 'ok'])
  expect((await logIn(asked)).status).toBe(200)
}
