import { describe, expect, test } from 'vitest'
import { type Partner, type PartnerDirectory, PendingGoneError } from '../src/index.ts'
import { ada, createTestReceiver, linkOf, logInOf, post } from './support/receiver.ts'

/** Changes of a partner while its payload waits. */
const changes: readonly (readonly [string, (partner: Partner) => Partner | undefined])[] = [
  ['removed', () => undefined],
  ['made inactive', partner => ({ ...partner, isActive: false })],
]

/** A receiver whose partners can change. */
async function createChangingReceiver() {
  let directory: PartnerDirectory | undefined
  let change: (partner: Partner) => Partner | undefined = partner => partner
  const changed = (partner: Partner | undefined) => partner && change(partner)
  const receiver = await createTestReceiver({
    wrapPartners: partners => {
      directory = partners
      return {
        find: async hint => changed(await directory?.find(hint)),
        get: async partnerId => changed(await directory?.get(partnerId)),
      }
    },
  })
  return {
    receiver,
    changeTo: (next: typeof change) => {
      change = next
    },
  }
}

describe.each(changes)('of a partner that was %s', (_name, change) => {
  test('a one-time URL opens nothing, now and later', async () => {
    const { receiver, changeTo } = await createChangingReceiver()
    await receiver.logIn(ada.id)
    const link = new Request(await linkOf(receiver))
    const before = receiver.store.contacts()
    const audited = receiver.store.auditEntries().length
    changeTo(change)
    const refused = await receiver.open(link.clone())
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([410, []])
    expect(receiver.store.contacts()).toEqual(before)
    expect(receiver.store.auditEntries()).toHaveLength(audited)
    changeTo(partner => partner)
    expect((await receiver.open(link)).status).toBe(410)
  })

  test('a waiting payload links no account, now and later', async () => {
    const { receiver, changeTo } = await createChangingReceiver()
    await receiver.receive(post(await receiver.sign()))
    const { handle } = logInOf(receiver)
    changeTo(change)
    await expect(receiver.completePending(handle, ada.id)).rejects.toBeInstanceOf(PendingGoneError)
    expect(receiver.store.contacts()).toEqual([])
    expect(receiver.events.at(-1)).toMatchObject({ event: 'log-in', result: 'gone' })
    changeTo(partner => partner)
    await expect(receiver.completePending(handle, ada.id)).rejects.toBeInstanceOf(PendingGoneError)
  })
})

test('an active partner’s payloads are opened and completed', async () => {
  const { receiver } = await createChangingReceiver()
  await receiver.receive(post(await receiver.sign()))
  await receiver.completePending(logInOf(receiver).handle, ada.id)
  expect((await receiver.open(new Request(await linkOf(receiver)))).status).toBe(200)
})

test('if the partner cannot be looked up, the one-time URL stays valid', async () => {
  const { receiver, changeTo } = await createChangingReceiver()
  const link = new Request(await linkOf(receiver))
  changeTo(() => {
    throw new Error('no connection')
  })
  expect((await receiver.open(link.clone())).status).toBe(503)
  changeTo(partner => partner)
  expect((await receiver.open(link)).status).toBe(200)
})

test.each([
  ['too short', 'x'.repeat(42)],
  ['too long', 'x'.repeat(44)],
  ['much too long', 'x'.repeat(4000)],
  ['of other characters', `${'x'.repeat(42)}.`],
])('an address whose handle is %s is gone, without a store request', async (_name, handle) => {
  const asked = () => Promise.reject(new TypeError('not to be asked'))
  const receiver = await createTestReceiver({ runTransaction: asked })
  const answer = await receiver.open(new Request(`https://sso.example/partner/payload/open/${handle}`))
  expect(answer.status).toBe(410)
})
