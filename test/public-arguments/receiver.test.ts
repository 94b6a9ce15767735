import {
  createPartnerDirectory,
  importPartner,
  partnerDirectoryOf,
  RateLimitedError,
  storesOverRows,
} from '../../packages/receiver/src/index.ts'
import { startTestService } from '../../packages/receiver/src/test-service/index.ts'
import { createMemorySessions, createMemoryStore } from '../../packages/receiver/src/testing/index.ts'
import { partsInMemory } from '../../packages/receiver/src/testing/memory-store.ts'
import { givenUp, publicPem, testPublicFunctions, unlessAborted } from '../support/public-arguments.ts'

const audience = 'https://sso.example/partner/payload'
const store = createMemoryStore({ accounts: [] })
const { parts, connection } = partsInMemory({ accounts: [] })
const registration = { id: 'partner', name: 'Partner', keys: [{ kind: 'spki' as const, pem: publicPem }] }
const partner = await importPartner(registration)
const answer = async () => new Response()
const receiver = { urls: [audience], receive: answer, open: answer, describe: () => new Response() }
const aborted = { signal: AbortSignal.abort(givenUp) }
const importing = [{}, '{ clock?, validity?, keySetTimeoutMs?: milliseconds, fetch? }'] as const
const named = [{ firstname: 'Bo' }, '{ firstname?: text|null, ... }'] as const
const waiting = [aborted, '{ signal?, timeoutMs?: milliseconds }'] as const

/** A call of a test service, which is closed again. */
const ofService = (name: 'nextDelivery' | 'nextRefusal' | 'linkEmployee') => async (given: never) => {
  await using service = await startTestService()
  await Reflect.apply(service[name], undefined, [name === 'linkEmployee' ? given : unlessAborted(given)])
}

await testPublicFunctions('receiver', {
  nodeHandler: {
    takes: {
      receiver: [receiver, '{ urls, receive, open, describe, ... }'],
      'options?': [{}, '{ path?: text }'],
    },
  },
  createReceiver: {
    takes: {
      options: [
        {
          url: audience,
          partners: partnerDirectoryOf([partner]),
          runTransaction: store.runTransaction,
          sessions: createMemorySessions(),
          renderPage: () => '',
        },
        '{ url, partners, runTransaction, sessions, renderPage, renderRefusal?, renderEnd?, rateLimiter?, audit?, contentSecurityPolicy?, bodyTimeoutMs?: milliseconds, clock?, onEvent? }',
      ],
    },
  },
  createRateLimiter: {
    takes: {
      'takeShare?': [async () => 1, 'other'],
      'options?': [{}, '{ windowMs?: milliseconds, maxKeys?: count }'],
    },
  },
  refusalResponse: {
    takes: {
      refusal: [new RateLimitedError(30, 'Too many.'), 'other'],
      request: [new Request(audience), 'other'],
      'options?': [{}, '{ requestId?: text, renderRefusal? }'],
    },
  },
  importPartner: {
    takes: {
      registration: [registration, '{ id: word, name: text, issuer?: text, policy?, keys }'],
      'options?': importing,
    },
  },
  createPartnerDirectory: { takes: { registrations: [[registration], 'other'], 'options?': importing } },
  readRegistrations: { takes: { registrations: [[registration], 'other'] } },
  'createPartnerDirectory of one registration': {
    call: (one: never) => createPartnerDirectory([one]),
    takes: { registrations: [registration, '{ id: word, name: text, keys }'] },
  },
  partnerDirectoryOf: { takes: { partners: [[partner], 'other'] } },
  'partnerDirectoryOf one partner': {
    call: (one: never) => partnerDirectoryOf([one]),
    takes: { partners: [partner, '{ id: text, issuer?: text, keys, ... }'] },
  },
  createMemorySessions: { takes: {} },
  createMemoryStore: { takes: { options: [{ accounts: [] }, '{ accounts, contacts? }'] } },
  'createMemoryStore with an account': {
    call: (account: never) => createMemoryStore({ accounts: [account] }),
    takes: {
      accounts: [{ id: 'a', displayName: 'A' }, '{ id: text, displayName: text, organizationId?: text }'],
    },
  },
  'createMemoryStore with a contact': {
    call: (contact: never) => createMemoryStore({ accounts: [], contacts: [contact] }),
    takes: {
      contacts: [
        { contactId: 'c', person: {} },
        '{ contactId: text, person: object, organizationId?: text, customIds? }',
      ],
    },
  },
  storesOverRows: { takes: { parts: [parts, '{ rows, findAccount, contacts }'] } },
  runOneByOne: {
    takes: {
      stores: [storesOverRows(parts), '{ ... }'],
      connection: [connection, '{ begin, commit, rollBack, ... }'],
    },
  },
  storeContract: { takes: { makeStores: [() => store, 'other'] } },
  renderBootPage: {
    takes: {
      indexHtml: ['<head></head>', 'text'],
      outcome: [{ kind: 'replayed' }, '{ ... }'],
      context: [{ nonce: 'n' }, '{ nonce: text, request?: object }'],
    },
  },
  findContradictions: { takes: { sent: named, known: named } },
  hasSameName: { takes: { sent: named, known: named } },
  matchContact: {
    takes: {
      person: [{ firstname: 'Bo' }, '{ ... }'],
      'partnerId?': ['p', 'text'],
      contacts: [[], 'other'],
    },
  },
  employeeDigestOf: {
    takes: {
      employee: [
        { partnerId: 'p', organizationId: 'o', employeeId: 'e' },
        '{ partnerId: text, organizationId: text, employeeId: text }',
      ],
    },
  },
  normalizeIdentityNumber: { takes: { text: ['1', 'text'] } },
  comparableSsn: { takes: { ssn: ['1', 'text'] } },
  startTestService: {
    // Each service that starts is closed again.
    call: async (given: never) => await (await startTestService(given)).close(),
    takes: { 'options?': [{}, '{ partner?: object, contacts?, isFirstVisit?, port?: number, clock? }'] },
  },
  'nextDelivery of a test service': {
    call: ofService('nextDelivery'),
    takes: { 'options?': waiting },
    ends: givenUp,
  },
  'nextRefusal of a test service': {
    call: ofService('nextRefusal'),
    takes: { 'options?': waiting },
    ends: givenUp,
  },
  'makeToken of a test service': {
    call: async (kind: never, claims: never) => {
      await using service = await startTestService()
      await service.makeToken(kind, claims)
    },
    takes: { kind: ['valid', 'other'], 'claims?': [{}, 'object'] },
  },
  'linkEmployee of a test service': {
    call: ofService('linkEmployee'),
    takes: {
      employee: [{ organizationId: 'o', employeeId: 'e' }, '{ organizationId: text, employeeId: text }'],
    },
  },
})
