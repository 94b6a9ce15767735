import { describe, expect, test } from 'vitest'
import { LinkNotFoundError } from '../src/index.ts'
import { createMemorySessions } from '../src/testing/index.ts'
import { ada, bob, createTestReceiver, linkIdOf, post, url } from './support/receiver.ts'

describe('the links of an account', () => {
  test('an ended link asks for a log-in at the next visit, and may join another account', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    await receiver.logIn(ada.id, { organizationId: 'org-2' })
    await receiver.unlink(await linkIdOf(), ada.id)
    const visit = async (claims = {}) => {
      await receiver.receive(post(await receiver.sign(claims)))
      return receiver.outcomes.at(-1)?.kind
    }
    expect(await visit({ organizationId: 'org-2' })).toBe('signed-in')
    expect(await visit()).toBe('log-in')
    await receiver.logIn(bob.id)
    expect(await visit()).toBe('signed-in')
  })

  test.each([
    ['in the link’s transaction', true],
    ['after it, where they lie elsewhere', false],
  ])('end with exactly the sessions that they made, %s', async (_where, isInTransaction) => {
    const sessions = createMemorySessions()
    const receiver = await createTestReceiver({
      sessions,
      changeStores: () => (isInTransaction ? { sessions } : {}),
    })
    const visitAs = async (organizationId: string) => {
      const answer = await receiver.receive(post(await receiver.sign({ organizationId })))
      return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }
    const isSignedIn = async (cookie: string) =>
      (await sessions.current(new Request(url, { headers: { cookie } }))) !== undefined
    await receiver.logIn(ada.id)
    await receiver.logIn(ada.id, { organizationId: 'org-2' })
    const ended = [await visitAs('org-1'), await visitAs('org-1')]
    const kept = await visitAs('org-2')
    expect(await Promise.all([...ended, kept].map(isSignedIn))).toEqual([true, true, true])
    await receiver.unlink(await linkIdOf(), ada.id)
    expect(await Promise.all([...ended, kept].map(isSignedIn))).toEqual([false, false, true])
  })

  test('end once, by their account only, and not by a made-up id', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    const linkId = await linkIdOf()
    for (const [id, account] of [
      [linkId, bob.id],
      [linkId, ''],
      ['', ada.id],
      ['__proto__', ada.id],
    ] as const)
      await expect(receiver.unlink(id, account)).rejects.toBeInstanceOf(LinkNotFoundError)
    const results = await Promise.allSettled([1, 2, 3].map(() => receiver.unlink(linkId, ada.id)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(receiver.events.filter(({ result }) => result === 'gone')).toHaveLength(6)
    expect(receiver.store.auditEntries().filter(({ event }) => event === 'unlink')).toHaveLength(1)
  })
})
