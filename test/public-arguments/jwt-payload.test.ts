import { submitPayload } from '../../packages/jwt-payload/src/browser/index.ts'
import {
  importSigningKey,
  importVerificationKey,
  postPayload,
  signPayload,
} from '../../packages/jwt-payload/src/index.ts'
import {
  createPartnerDirectory,
  importPartner,
  partnerDirectoryOf,
  RateLimitedError,
  storesOverRows,
} from '../../packages/jwt-payload/src/receiver/index.ts'
import {
  createMemorySessions,
  createMemoryStore,
} from '../../packages/jwt-payload/src/receiver/testing/index.ts'
import { partsInMemory } from '../../packages/jwt-payload/src/receiver/testing/memory-store.ts'
import { startTestService } from '../../packages/jwt-payload/src/testing/index.ts'
import type { PayloadClaims } from '../../packages/protocol-core/src/index.ts'
import {
  givenUp,
  privateKey,
  privatePem,
  publicKey,
  publicPem,
  testPublicFunctions,
  unlessAborted,
} from '../support/public-arguments.ts'

const audience = 'https://sso.example/partner/payload'
const claims: PayloadClaims = { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711' } }
const signing = { kind: 'pkcs8', pem: privatePem } as const
const privateJwk = privateKey.export({ format: 'jwk' })
const key = await importVerificationKey({ kind: 'spki', pem: publicPem })
const token = await signPayload(claims, await importSigningKey(signing), { audience })
const store = createMemoryStore({ accounts: [] })
const { parts, connection } = partsInMemory({ accounts: [] })
const registration = { id: 'partner', name: 'Partner', keys: [{ kind: 'spki' as const, pem: publicPem }] }
const partner = await importPartner(registration)
const receiver = { urls: [audience], receive: async () => new Response(), open: async () => new Response() }
const aborted = { signal: AbortSignal.abort(givenUp) }
const secret = [{ kind: 'secret', secret: 'A'.repeat(43) }, '{ secret }'] as const
const importing = [{}, '{ clock?, validity?, keySetTimeoutMs?: number, fetch? }'] as const
const verifying = 'keys, audience: text, issuer?: text, policy?, toleranceSeconds?: number, clock?, signal?'
const named = [{ firstname: 'Bo' }, '{ firstname?: text|null, ... }'] as const
const waiting = [aborted, '{ signal?, timeoutMs?: number }'] as const

/** A call of a test service, which is closed again. */
const ofService = (name: 'nextDelivery' | 'nextRefusal' | 'linkEmployee') => async (given: never) => {
  await using service = await startTestService()
  await Reflect.apply(service[name], undefined, [name === 'linkEmployee' ? given : unlessAborted(given)])
}

await testPublicFunctions(
  'jwt-payload',
  {
    signPayload: {
      takes: {
        payload: [claims, '{ organizationId?: text, employeeId?: text, contact?: object, extra?: object }'],
        key: [signing, '{ kind, pem: pem }'],
        'options?': [
          { audience },
          '{ audience?: text, issuer?: text, expiresInSeconds?, keyId?: text, tokenId?: text, clock? }',
        ],
      },
    },
    importSigningKey: { takes: { source: [signing, '{ kind, pem: pem, kid?: text, algorithm? }'] } },
    'importSigningKey of a JWK': { takes: { source: [{ kind: 'jwk', jwk: privateJwk }, '{ jwk }'] } },
    'importSigningKey of the members of a JWK': {
      call: (jwk: never) => importSigningKey({ kind: 'jwk', jwk }),
      // A member that is null counts as absent.
      takes: { jwk: [privateJwk, '{ kty, crv, x, y, d, kid?: text|null, use?: null, key_ops?: null, ... }'] },
    },
    'importSigningKey of a secret': { takes: { source: secret } },
    importVerificationKey: {
      takes: {
        source: [{ kind: 'spki', pem: publicPem }, '{ kind, pem, kid?: text, algorithms? }'],
        'options?': importing,
      },
    },
    'importVerificationKey of a JWK': {
      takes: { source: [{ kind: 'jwk', jwk: publicKey.export({ format: 'jwk' }) }, '{ jwk }'] },
    },
    'importVerificationKey of a secret': { takes: { source: secret } },
    'importVerificationKey of a key set': {
      takes: { source: [{ kind: 'jwks', url: 'https://partner.example/keys' }, '{ url }'] },
    },
    verifyPayload: {
      takes: { token: [token, 'text'], options: [{ keys: key, audience }, `{ ${verifying} }`] },
    },
    explainPayload: {
      takes: {
        token: [token, 'text'],
        options: [{ keys: key, audience }, `{ ${verifying}, sources?, registration?: object }`],
      },
    },
    postPayload: {
      call: (url: never, given: never, options: never) =>
        Reflect.apply(postPayload, undefined, [url, given, unlessAborted(options)]),
      takes: {
        url: [audience, 'other'],
        token: [token, 'other'],
        'options?': [
          { fetch: async () => Response.json({ url: 'https://sso.example/open' }) },
          '{ timeoutMs?: number, signal?, fetch? }',
        ],
      },
    },
    submitPayload: {
      // It would open a tab.
      call: (url: never, given: never, options: never) =>
        Reflect.apply(submitPayload, undefined, [url, given, unlessAborted(options)]),
      takes: {
        url: [audience, 'other'],
        token: [token, 'other'],
        'options?': [aborted, '{ target?: text, timeoutMs?: number, waitingText?: text }'],
      },
      isBrief: true,
      ends: givenUp,
    },
    renderPayloadForm: {
      takes: {
        options: [
          { action: audience, payload: token },
          '{ action, payload, target?: text, nonce?: text, submitLabel?: text }',
        ],
      },
    },
    payloadFormPolicy: { takes: { options: [{ action: audience }, '{ action, nonce?: word }'] } },
    nodeHandler: {
      takes: { receiver: [receiver, '{ urls, receive, open, ... }'], 'options?': [{}, '{ path?: text }'] },
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
          '{ url, partners, runTransaction, sessions, renderPage, renderRefusal?, rateLimiter?, audit?, contentSecurityPolicy?, bodyTimeoutMs?: number, clock?, onEvent? }',
        ],
      },
    },
    createRateLimiter: {
      takes: {
        'takeShare?': [async () => 1, 'other'],
        'options?': [{}, '{ windowMs?: number, maxKeys?: number }'],
      },
    },
    refusalResponse: {
      takes: {
        refusal: [new RateLimitedError(30, 'Too many.'), 'other'],
        request: [new Request(audience), 'other'],
        'options?': [{}, '{ requestId?: text, partner?: object, renderRefusal? }'],
      },
    },
    importPartner: {
      takes: {
        registration: [registration, '{ id: word, name: text, issuer?: text, policy?, keys }'],
        'options?': importing,
      },
    },
    createPartnerDirectory: { takes: { registration: [[registration], 'other'], 'options?': importing } },
    'createPartnerDirectory of one registration': {
      call: (one: never) => createPartnerDirectory([one]),
      takes: { registration: [registration, '{ id: word, name: text, keys }'] },
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
        context: [{ nonce: 'n' }, '{ nonce: text }'],
      },
    },
    contradicts: { takes: { sent: named, known: named } },
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
      takes: { 'options?': [{}, '{ partner?: object, contacts?, isFirstVisit?, clock? }'] },
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
    'linkEmployee of a test service': {
      call: ofService('linkEmployee'),
      takes: {
        employee: [{ organizationId: 'o', employeeId: 'e' }, '{ organizationId: text, employeeId: text }'],
      },
    },
  },
  'isRefusalCode',
)
