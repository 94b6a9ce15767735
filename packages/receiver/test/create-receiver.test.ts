import type { PayloadClaims } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  createReceiver,
  EmployeeLinkedError,
  OrganizationBoundError,
  PendingGoneError,
  ReceiverOptionError,
} from '../src/index.ts'
import {
  ada,
  bob,
  createTestReceiver,
  eve,
  linkIdOf,
  linkOf,
  logInOf,
  post,
  url,
} from './support/receiver.ts'

describe('[1-first-visit] an unknown employee', () => {
  test('gets the log-in page; after the log-in the payload takes effect, and later visits need none', async () => {
    const receiver = await createTestReceiver()
    const first = await receiver.receive(post(await receiver.sign()))
    expect(first.status).toBe(200)
    expect(first.headers.getSetCookie()).toEqual([])
    const logIn = logInOf(receiver)
    expect(logIn).toMatchObject({
      partner: { id: 'strict', name: 'Strict Partner' },
      employee: { organizationName: 'Clinic One', firstname: 'Kari' },
      expiresAtMs: receiver.clock().getTime() + 600_000,
    })
    expect(receiver.store.contacts()).toEqual([])

    const { account, contact } = await receiver.completePending(logIn.handle, ada.id)
    expect([account, contact.kind]).toEqual([ada, 'created'])
    expect(receiver.store.contacts().map(({ person }) => person)).toEqual([
      { customId: '01018012345', firstname: 'Ola', lastname: 'Nordmann', dateOfBirth: '1980-01-01' },
    ])

    const second = await receiver.receive(post(await receiver.sign()))
    expect(receiver.outcomes.at(-1)).toMatchObject({
      kind: 'signed-in',
      account: ada,
      contact: { kind: 'selected' },
    })
    expect(second.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-service-session=[\w-]{40,}; Secure; HttpOnly; SameSite=Lax; Path=\/$/),
    ])
  })

  test('is taken with options that are undefined', async () => {
    const given = { contentSecurityPolicy: undefined, rateLimiter: undefined, bodyTimeoutMs: undefined }
    const receiver = await createTestReceiver(given)
    expect((await receiver.receive(post(await receiver.sign()))).status).toBe(200)
  })

  test('the handle works once, for ten minutes; other texts do not', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign()))
    const { handle } = logInOf(receiver)
    expect(handle).toMatch(/^[\w-]{43}$/)
    for (const wrong of ['', 'x'.repeat(43), handle.slice(1)])
      await expect(receiver.completePending(wrong, ada.id)).rejects.toBeInstanceOf(PendingGoneError)
    receiver.pass(599)
    const results = await Promise.allSettled([1, 2, 3].map(() => receiver.completePending(handle, ada.id)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])

    await receiver.receive(post(await receiver.sign({ employeeId: 'emp-8' })))
    const late = logInOf(receiver)
    receiver.pass(600)
    await expect(receiver.completePending(late.handle, ada.id)).rejects.toBeInstanceOf(PendingGoneError)
  })

  test('a log-in is refused when the employee got another account meanwhile', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign()))
    const early = logInOf(receiver)
    await receiver.logIn(bob.id)
    await expect(receiver.completePending(early.handle, ada.id)).rejects.toBeInstanceOf(EmployeeLinkedError)
  })

  test('a partner’s organization stays bound to that of its first link, even after the link', async () => {
    const receiver = await createTestReceiver()
    const logInAs = async (accountId: string, claims: Partial<PayloadClaims>) => {
      await receiver.receive(post(await receiver.sign(claims)))
      return receiver.completePending(logInOf(receiver).handle, accountId)
    }
    await logInAs(ada.id, {})
    const other = { employeeId: 'emp-8' }
    await expect(logInAs(eve.id, other)).rejects.toBeInstanceOf(OrganizationBoundError)
    await receiver.unlink(await linkIdOf(), ada.id)
    await expect(logInAs(eve.id, other)).rejects.toBeInstanceOf(OrganizationBoundError)
    expect((await logInAs(eve.id, { organizationId: 'org-2' })).account).toEqual(eve)
    expect((await logInAs(bob.id, other)).account).toEqual(bob)
    expect(
      receiver.store.auditEntries().filter(({ outcome }) => outcome === 'organization-bound'),
    ).toHaveLength(2)
  })

  test('the page shows the person to be linked, with identifiers, and the page that posted', async () => {
    const receiver = await createTestReceiver()
    for (const [headers, sentFrom] of [
      [{ origin: 'https://elsewhere.example' }, { sentFrom: 'https://elsewhere.example' }],
      [{ origin: 'null' }, {}],
      [{}, {}],
    ] as const) {
      await receiver.receive(post(await receiver.sign(), headers))
      const { employee, ...outcome } = logInOf(receiver)
      expect(employee).toMatchObject({ id: 'emp-7', organizationId: 'org-1', organizationName: 'Clinic One' })
      expect('sentFrom' in outcome ? { sentFrom: outcome.sentFrom } : {}).toEqual(sentFrom)
    }
  })

  test('an unknown account leaves the payload waiting', async () => {
    const receiver = await createTestReceiver()
    await receiver.receive(post(await receiver.sign()))
    const { handle } = logInOf(receiver)
    await expect(receiver.completePending(handle, 'nobody')).rejects.toBeInstanceOf(ReceiverOptionError)
    for (const wrong of [[undefined, ada.id], [handle, ada], [handle]])
      await expect(Reflect.apply(receiver.completePending, undefined, wrong)).rejects.toMatchObject({
        code: 'ERR_PARAMETER',
      })
    expect((await receiver.completePending(handle, ada.id)).account).toEqual(ada)
  })
})

describe('[4.1-page] a known employee', () => {
  test('gets the web app with the outcome, under headers that keep it private', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    const response = await receiver.receive(
      post(await receiver.sign(), {
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
      }),
    )
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const nonce = /'nonce-([\w-]+)'/.exec(headers['content-security-policy'] ?? '')?.[1]
    const html = await response.text()
    expect(html).toContain(`<script nonce="${nonce}">`)
    expect(html).toContain('<div id="root"></div>')
    for (const personal of ['Nordmann', '01018012345', 'emp-7', 'org-1']) expect(html).not.toContain(personal)
  })

  test('another account’s cookie is reported as replaced; the same account’s is not', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    for (const [before, replacedAccount] of [
      [bob, bob],
      [ada, undefined],
    ] as const) {
      const { setCookies } = await receiver.sessions.create(before, new Request(url), {
        isFramed: false,
        partnerId: 'strict',
        linkId: 'link',
      })
      const cookie = setCookies[0]?.split(';')[0] ?? ''
      await receiver.receive(post(await receiver.sign(), { cookie }))
      const outcome = receiver.outcomes.at(-1)
      expect(outcome?.kind === 'signed-in' && outcome.replacedAccount).toEqual(replacedAccount)
    }
  })

  test('[2.3-custom-id] if several contacts share a customId, the user chooses and nothing is written', async () => {
    const contacts = ['a', 'b'].map(contactId => ({
      contactId,
      person: { customId: '01018012345', firstname: 'Ola', lastname: 'Nordmann' },
    }))
    const receiver = await createTestReceiver({ contacts })
    await receiver.logIn(ada.id, { contact: { id: 'unrelated' } })
    await receiver.receive(post(await receiver.sign()))
    expect(receiver.outcomes.at(-1)).toMatchObject({
      contact: {
        kind: 'choose',
        sent: { customId: '01018012345', firstname: 'Ola' },
        candidates: [
          { contactId: 'a', firstname: 'Ola', contradictions: [] },
          { contactId: 'b', firstname: 'Ola', contradictions: [] },
        ],
      },
    })
    expect(receiver.store.contacts().slice(0, 2)).toMatchObject(contacts)
  })
})

test.each([
  ['01018012345', undefined, '01018012345'],
  ['4711', undefined, undefined],
  ['01018012345', '02028012345', '02028012345'],
])('a partner’s contact.id %s beside the ssn %s is kept as ssn %s', async (id, ssn, expected) => {
  const receiver = await createTestReceiver({ strictPartner: { contactIdIsSsn: true } })
  await receiver.logIn(ada.id, { contact: ssn === undefined ? { id } : { id, ssn } })
  expect(receiver.store.contacts()[0]?.person.ssn).toBe(expected)
})

test('takeKnownVisit takes a post at once, and leaves others to the transaction', async () => {
  const contact = { kind: 'selected', contactId: 'c-1' } as const
  let isKnown = true
  const receiver = await createTestReceiver({
    takeKnownVisit: async ({ claim, session, entry }) => {
      expect([claim.key.startsWith('strict:'), session.partnerId, entry.outcome]).toEqual([
        true,
        'strict',
        'signed-in',
      ])
      return isKnown ? { account: ada, contact, session: { setCookies: ['session=1'] } } : undefined
    },
  })
  const answer = await receiver.receive(post(await receiver.sign()))
  expect(answer.headers.getSetCookie()).toEqual(['session=1'])
  expect(receiver.outcomes.at(-1)).toMatchObject({ kind: 'signed-in', account: ada, contact })
  expect(receiver.store.auditEntries()).toEqual([])
  isKnown = false
  await receiver.receive(post(await receiver.sign()))
  expect(receiver.outcomes.at(-1)?.kind).toBe('log-in')
})

describe('a partner that asks for JSON', () => {
  const accept = 'application/json'

  test('gets a URL that opens the page once, within 60 s', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    const token = await receiver.sign()
    const response = await receiver.receive(post(token, { accept }))
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('content-type')).toBe('application/json')
    const { url: link } = z.strictObject({ url: z.url() }).parse(await response.json())
    expect(link).toMatch(/^https:\/\/sso\.example\/partner\/payload\/open\/[\w-]{43}$/)
    expect(receiver.outcomes).toEqual([])
    expect((await receiver.receive(post(token, { accept }))).status).toBe(401)

    expect((await receiver.open(new Request(link, { method: 'HEAD' }))).status).toBe(405)
    receiver.pass(59)
    const page = await receiver.open(new Request(link))
    expect(page.status).toBe(200)
    expect(page.headers.getSetCookie()).toHaveLength(1)
    expect(receiver.outcomes.at(-1)).toMatchObject({ kind: 'signed-in', account: ada })
    expect(receiver.events.map(({ result }) => result)).toContain('link')

    const again = await receiver.open(new Request(link, { headers: { accept: 'text/html' } }))
    expect(again.status).toBe(410)
    expect(await again.text()).toContain('open the service from there again')
  })

  test('gets a URL that expires after 60 s and is no handle for a log-in', async () => {
    const receiver = await createTestReceiver()
    const link = await linkOf(receiver)
    await expect(receiver.completePending(link.slice(-43), ada.id)).rejects.toBeInstanceOf(PendingGoneError)
    receiver.pass(60)
    expect((await receiver.open(new Request(link))).status).toBe(410)
  })

  test('gets a URL with the log-in page for an unknown employee', async () => {
    const receiver = await createTestReceiver()
    const link = await linkOf(receiver)
    await receiver.open(new Request(link))
    expect((await receiver.completePending(logInOf(receiver).handle, bob.id)).account).toEqual(bob)
  })
})

test.each<[unknown, string]>([
  [undefined, 'is missing'],
  [[], 'must have an address'],
  ['/partner/payload', 'must be an absolute http or https URL'],
  [new URL(url), 'must be text: url.href'],
  [`${url}?from=journal`, 'must have no query and no fragment'],
  [`${url}#top`, 'must have no query and no fragment'],
  ['https://user:top-secret@sso.example/', 'must have no user name or password'],
  ['https://*.example/partner/payload', 'must have the name of one host'],
  [[url, 'sso.example'], 'must be an absolute http or https URL'],
])('the address %j of a receiver is refused: %s', (address, problem) => {
  const unused = () => Promise.reject(new TypeError('not used'))
  const create = () =>
    createReceiver({
      url: address as string,
      partners: { find: unused, get: unused },
      runTransaction: unused,
      sessions: { current: unused, create: unused, endLinked: unused },
      renderPage: unused,
    })
  expect(create).toThrow(ReceiverOptionError)
  expect(create).toThrow(`The option url ${problem}.`)
  expect(create).not.toThrow('top-secret')
})

test('a list of registrations in the place of the directory is refused with the function that makes it', async () => {
  const make = createTestReceiver(JSON.parse('{ "partners": [] }'))
  await expect(make).rejects.toThrow(
    'options.partners must be a directory, as createPartnerDirectory makes it',
  )
})
