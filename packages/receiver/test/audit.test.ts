import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { type AuditEntry, EmployeeLinkedError } from '../src/index.ts'
import { ada, bob, createTestReceiver, linkIdOf, logInOf, post } from './support/receiver.ts'
import { lenientToken } from './support/refused-posts.ts'

/** Computed independently, as the port's documentation defines it. */
const employeeDigest = createHash('sha256')
  .update(JSON.stringify(['strict', 'org-1', 'emp-7']))
  .digest('base64url')

/** The receiver records a refusal after its answer. */
const waitUntil = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })

describe('the audit log', () => {
  test('records every action from the first visit to the end of the link, without personal data', async () => {
    const receiver = await createTestReceiver()
    const first = await receiver.receive(post(await receiver.sign()))
    const { account } = await receiver.completePending(logInOf(receiver).handle, ada.id)
    const second = await receiver.receive(post(await receiver.sign()))
    const third = await receiver.receive(post(await receiver.sign(), { accept: 'application/json' }))
    const address = /https:[^"]+/.exec(await third.text())?.[0] ?? ''
    await receiver.open(new Request(address))
    await receiver.unlink(await linkIdOf(), account.id, 'request-of-the-service')

    const requestIds = [first, second, third].map(({ headers }) => headers.get('x-request-id'))
    const common = { at: receiver.clock(), partnerId: 'strict', organizationId: 'org-1' }
    const unknown = { ...common, accountId: undefined, employeeDigest }
    const known = { ...common, accountId: ada.id, employeeDigest: undefined }
    const linking = { ...common, accountId: ada.id, employeeDigest }
    expect(receiver.store.auditEntries()).toEqual([
      { ...unknown, requestId: requestIds[0], event: 'post', outcome: 'log-in' },
      { ...linking, requestId: requestIds[0], event: 'log-in', outcome: 'linked' },
      { ...known, requestId: requestIds[1], event: 'post', outcome: 'signed-in' },
      { ...unknown, requestId: requestIds[2], event: 'post', outcome: 'link' },
      { ...known, requestId: requestIds[2], event: 'open', outcome: 'signed-in' },
      { ...linking, requestId: 'request-of-the-service', event: 'unlink', outcome: 'unlinked' },
    ])
    const text = JSON.stringify(receiver.store.auditEntries())
    for (const personal of ['Nordmann', 'Ola', 'Kari', '01018012345', 'emp-7', ada.displayName])
      expect(text).not.toContain(personal)
    expect(receiver.events.map(({ event, result }) => `${event} ${result}`)).toEqual([
      'post log-in',
      'log-in linked',
      'post signed-in',
      'post link',
      'open signed-in',
      'unlink unlinked',
    ])
  })

  test('records that a log-in belonged to another account', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign()))
    const handle = logInOf(receiver).handle
    await receiver.logIn(bob.id)
    await expect(receiver.completePending(handle, ada.id)).rejects.toBeInstanceOf(EmployeeLinkedError)
    expect(receiver.store.auditEntries().at(-1)).toMatchObject({
      event: 'log-in',
      outcome: 'linked-elsewhere',
      accountId: ada.id,
      employeeDigest,
    })
  })

  test('records refusals of correctly signed tokens only', async () => {
    const receiver = await createTestReceiver()
    const audience = 'https://sso.example/'
    const answer = await receiver.receive(post(await receiver.sign({}, { audience })))
    await waitUntil(() => expect(receiver.store.auditEntries()).toHaveLength(1))
    const shapeless = await lenientToken({
      iss: 'https://lenient.example',
      organizationId: [7],
      employeeId: '',
    })
    await receiver.receive(post(shapeless))
    for (const token of [
      'hello',
      await receiver.sign({}, { keyId: 'nobody' }),
      await receiver.sign({}, { key: 'otherRsa', keyId: 'rsa' }),
    ])
      await receiver.receive(post(token))
    const at = receiver.clock()
    await waitUntil(() =>
      expect(receiver.store.auditEntries()).toEqual([
        {
          at,
          requestId: answer.headers.get('x-request-id'),
          event: 'post',
          outcome: 'ERR_PAYLOAD_AUDIENCE',
          partnerId: 'strict',
          organizationId: 'org-1',
          accountId: undefined,
          employeeDigest,
        },
        expect.objectContaining({
          outcome: 'ERR_PAYLOAD_SHAPE',
          partnerId: 'lenient',
          organizationId: undefined,
          employeeDigest: undefined,
        }),
      ]),
    )
  })

  test('leaves out text of a refused token that no database keeps or that is too long', async () => {
    const receiver = await createTestReceiver()
    for (const claims of [
      { organizationId: 'org-1\u0000', employeeId: 'emp-7' },
      { organizationId: ' org-1 ', employeeId: 'emp\u0000-7' },
      { organizationId: 'o'.repeat(5000), employeeId: 'emp-7' },
    ])
      await receiver.receive(post(await lenientToken({ iss: 'https://lenient.example', ...claims })))
    const refused = { outcome: 'ERR_PAYLOAD_SHAPE', partnerId: 'lenient', employeeDigest: undefined }
    await waitUntil(() =>
      expect(receiver.store.auditEntries()).toMatchObject([
        { ...refused, organizationId: undefined },
        { ...refused, organizationId: 'org-1' },
        { ...refused, organizationId: undefined },
      ]),
    )
  })

  test('records one refusal of a token per hour, however often it is posted', async () => {
    const entries: AuditEntry[] = []
    const receiver = await createTestReceiver({ audit: { record: async entry => void entries.push(entry) } })
    const [old, other] = [await receiver.sign(), await receiver.sign()]
    receiver.pass(121)
    for (let count = 0; count < 50; count++) await receiver.receive(post(old))
    receiver.pass(3600)
    await receiver.receive(post(old))
    await receiver.receive(post(other))
    await waitUntil(() => expect(entries).toHaveLength(3))
    expect(receiver.events).toHaveLength(52)
  })

  test('records each reason for one token', async () => {
    const receiver = await createTestReceiver()
    const token = await receiver.sign()
    for (let count = 0; count < 2; count++) await receiver.receive(post(token))
    receiver.pass(121)
    await receiver.receive(post(token))
    const outcomes = () => receiver.store.auditEntries().map(({ outcome }) => outcome)
    await waitUntil(() => expect(outcomes()).toContain('ERR_PAYLOAD_EXPIRED'))
    expect(outcomes()).toEqual(['log-in', 'ERR_PAYLOAD_REPLAYED', 'ERR_PAYLOAD_EXPIRED'])
  })

  test('records 600 refusals of a partner per minute, and other kinds beside them', async () => {
    const receiver = await createTestReceiver()
    const audience = 'https://sso.example/'
    const other = await receiver.sign({}, { audience, expiresInSeconds: 300 })
    const old = await Promise.all(Array.from({ length: 610 }, () => receiver.sign()))
    receiver.pass(121)
    for (const token of old) await receiver.receive(post(token))
    await receiver.receive(post(other))
    const outcomes = () => receiver.store.auditEntries().map(({ outcome }) => outcome)
    await waitUntil(() => {
      expect(outcomes()).toContain('ERR_PAYLOAD_AUDIENCE')
      expect(outcomes().filter(outcome => outcome === 'ERR_PAYLOAD_EXPIRED')).toHaveLength(600)
    })
    receiver.pass(60)
    await receiver.receive(post(await receiver.sign({}, { audience })))
    await waitUntil(() => expect(outcomes()).toHaveLength(602))
  })

  test('cuts an organization’s identifier to 256 characters', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign({ organizationId: 'o'.repeat(300) })))
    expect(receiver.store.auditEntries().at(-1)?.organizationId).toBe('o'.repeat(256))
  })

  test.each<[string, () => Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('the disk is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the disk is full'))],
    ['never settles', () => new Promise(() => undefined)],
  ])('one that %s after a refusal changes no answer', async (_name, record) => {
    const receiver = await createTestReceiver({ audit: { record } })
    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(200)
    expect((await receiver.receive(post(token))).status).toBe(401)
  })

  test('a failure in the transaction takes all of it back: every effect has its record', async () => {
    let isBroken = true
    const record = () => Promise.reject(new Error('the disk is full'))
    const receiver = await createTestReceiver({ changeStores: () => (isBroken ? { audit: { record } } : {}) })
    const { store } = receiver
    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(503)
    isBroken = false
    expect((await receiver.receive(post(token))).status).toBe(200)
    isBroken = true
    await expect(receiver.completePending(logInOf(receiver).handle, ada.id)).rejects.toThrow(
      'the disk is full',
    )
    expect(store.contacts()).toEqual([])
    isBroken = false
    expect((await receiver.completePending(logInOf(receiver).handle, ada.id)).contact.kind).toBe('created')
  })
})
