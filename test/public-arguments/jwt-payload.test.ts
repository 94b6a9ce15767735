import { submitPayload } from '../../packages/jwt-payload/src/browser/index.ts'
import {
  explainPayload,
  importSigningKey,
  importVerificationKey,
  payloadFormPolicy,
  postPayload,
  renderPayloadForm,
  signPayload,
  verifyPayload,
} from '../../packages/jwt-payload/src/index.ts'
import {
  comparableSsn,
  contradicts,
  createPartnerDirectory,
  createReceiver,
  employeeDigestOf,
  hasSameName,
  importPartner,
  matchContact,
  normalizeIdentityNumber,
  partnerDirectoryOf,
  renderBootPage,
  runOneByOne,
  storesOverRows,
} from '../../packages/jwt-payload/src/receiver/index.ts'
import { nodeHandler } from '../../packages/jwt-payload/src/receiver/node/index.ts'
import {
  createMemorySessions,
  createMemoryStore,
  storeContract,
} from '../../packages/jwt-payload/src/receiver/testing/index.ts'
import { partsInMemory } from '../../packages/jwt-payload/src/receiver/testing/memory-store.ts'
import { startTestService } from '../../packages/jwt-payload/src/testing/index.ts'
import type { PayloadClaims } from '../../packages/protocol-core/src/index.ts'
import {
  givenUp,
  optional,
  optionalNumber,
  optionalObject,
  optionalText,
  privateKey,
  privatePem,
  probeNames,
  publicKey,
  publicPem,
  testPublicFunctions,
  texts,
  unlessAborted,
} from '../support/public-arguments.ts'

const audience = 'https://sso.example/partner/payload'
const claims: PayloadClaims = { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711' } }
const signingSource = { kind: 'pkcs8', pem: privatePem } as const
const signingKey = await importSigningKey(signingSource)
const key = await importVerificationKey({ kind: 'spki', pem: publicPem })
const token = await signPayload(claims, signingKey, { audience })
const store = createMemoryStore({ accounts: [] })
const memory = partsInMemory({ accounts: [] })
const registration = { id: 'partner', name: 'Partner', keys: [{ kind: 'spki' as const, pem: publicPem }] }
const partner = await importPartner(registration)
const verifying = {
  keys: [],
  audience: texts,
  issuer: optionalText,
  policy: optional,
  toleranceSeconds: optionalNumber,
  clock: optional,
  signal: optional,
} as const
const importing = {
  clock: optional,
  validity: optional,
  keySetTimeoutMs: optionalNumber,
  fetch: optional,
} as const

testPublicFunctions([
  {
    name: 'signPayload',
    call: signPayload,
    args: [
      { parameter: 'payload', right: claims, takes: ['an empty object'], members: { extra: optionalObject } },
      { parameter: 'key', right: signingSource, members: { kind: [], pem: ['a private key'] } },
      {
        parameter: 'options',
        right: { audience },
        takes: ['an empty object'],
        members: {
          audience: texts,
          issuer: optionalText,
          expiresInSeconds: optional,
          keyId: optionalText,
          tokenId: optionalText,
          clock: optional,
        },
      },
    ],
  },
  {
    name: 'importSigningKey',
    call: importSigningKey,
    args: [
      {
        parameter: 'source',
        right: signingSource,
        members: { kind: [], pem: ['a private key'], kid: optionalText, algorithm: optional },
      },
    ],
  },
  {
    name: 'importSigningKey of a JWK',
    call: importSigningKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwk', jwk: privateKey.export({ format: 'jwk' }) },
        members: { jwk: [] },
      },
    ],
  },
  {
    name: 'importSigningKey of the members of a JWK',
    call: (jwk: object) => importSigningKey({ kind: 'jwk', jwk: Object(jwk) }),
    args: [
      {
        parameter: 'jwk',
        right: privateKey.export({ format: 'jwk' }),
        isOpen: true,
        takes: probeNames,
        members: {
          kty: [],
          crv: [],
          x: [],
          y: [],
          d: [],
          // A member that is null counts as absent.
          kid: [...optionalText, 'null'],
          use: [...optional, 'null'],
          key_ops: [...optional, 'null'],
        },
      },
    ],
  },
  {
    name: 'importSigningKey of a secret',
    call: importSigningKey,
    args: [
      { parameter: 'source', right: { kind: 'secret', secret: 'A'.repeat(43) }, members: { secret: [] } },
    ],
  },
  {
    name: 'importVerificationKey',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'spki', pem: publicPem },
        members: { kind: [], pem: [], kid: optionalText, algorithms: optional },
      },
      { parameter: 'options', right: {}, takes: optionalObject, members: importing },
    ],
  },
  {
    name: 'importVerificationKey of a JWK',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwk', jwk: publicKey.export({ format: 'jwk' }) },
        members: { jwk: [] },
      },
    ],
  },
  {
    name: 'importVerificationKey of a secret',
    call: importVerificationKey,
    args: [
      { parameter: 'source', right: { kind: 'secret', secret: 'A'.repeat(43) }, members: { secret: [] } },
    ],
  },
  {
    name: 'importVerificationKey of a key set',
    call: importVerificationKey,
    args: [
      {
        parameter: 'source',
        right: { kind: 'jwks', url: 'https://partner.example/keys' },
        members: { url: [] },
      },
    ],
  },
  {
    name: 'verifyPayload',
    call: verifyPayload,
    args: [
      { parameter: 'token', right: token, takes: texts },
      { parameter: 'options', right: { keys: key, audience }, members: verifying },
    ],
  },
  {
    name: 'explainPayload',
    call: explainPayload,
    args: [
      { parameter: 'token', right: token, takes: texts },
      {
        parameter: 'options',
        right: { keys: key, audience },
        members: {
          ...verifying,
          audience: texts,
          issuer: optionalText,
          sources: optional,
          registration: optionalObject,
        },
      },
    ],
  },
  {
    name: 'postPayload',
    call: (url: never, given: never, options: never) =>
      Reflect.apply(postPayload, undefined, [url, given, unlessAborted(options)]),
    args: [
      { parameter: 'url', right: audience },
      { parameter: 'token', right: token },
      {
        parameter: 'options',
        right: { fetch: async () => Response.json({ url: 'https://sso.example/open' }) },
        takes: optionalObject,
        members: { timeoutMs: optionalNumber, signal: optional, fetch: [] },
      },
    ],
  },
  {
    name: 'submitPayload',
    // It would open a tab.
    call: (url: never, given: never, options: never) =>
      Reflect.apply(submitPayload, undefined, [url, given, unlessAborted(options)]),
    args: [
      { parameter: 'url', right: audience },
      { parameter: 'token', right: token },
      {
        parameter: 'options',
        right: { signal: AbortSignal.abort(givenUp) },
        takes: optionalObject,
        members: { target: optionalText, timeoutMs: optionalNumber, waitingText: optionalText },
      },
    ],
    ends: givenUp,
  },
  {
    name: 'renderPayloadForm',
    call: renderPayloadForm,
    args: [
      {
        parameter: 'options',
        right: { action: audience, payload: token },
        members: {
          action: [],
          payload: [],
          target: optionalText,
          nonce: optionalText,
          submitLabel: optionalText,
        },
      },
    ],
  },
  {
    name: 'payloadFormPolicy',
    call: payloadFormPolicy,
    args: [
      {
        parameter: 'options',
        right: { action: audience },
        members: { action: [], nonce: ['undefined', 'text'] },
      },
    ],
  },
  {
    name: 'nodeHandler',
    call: nodeHandler,
    args: [
      {
        parameter: 'receiver',
        right: { urls: [audience], receive: async () => new Response(), open: async () => new Response() },
        members: { urls: [], receive: [], open: [] },
        isOpen: true,
      },
      { parameter: 'options', right: {}, takes: optionalObject, members: { path: optionalText } },
    ],
  },
  {
    name: 'createReceiver',
    call: createReceiver,
    args: [
      {
        parameter: 'options',
        right: {
          url: audience,
          partners: partnerDirectoryOf([partner]),
          runTransaction: store.runTransaction,
          sessions: createMemorySessions(),
          renderPage: () => '',
        },
        members: {
          url: [],
          partners: [],
          runTransaction: [],
          sessions: [],
          renderPage: [],
          renderRefusal: optional,
          rateLimiter: optional,
          audit: optional,
          contentSecurityPolicy: optional,
          bodyTimeoutMs: optionalNumber,
          clock: optional,
          onEvent: optional,
        },
      },
    ],
  },
  {
    name: 'importPartner',
    call: importPartner,
    args: [
      {
        parameter: 'registration',
        right: registration,
        members: { id: ['text'], name: texts, issuer: optionalText, policy: optional, keys: [] },
      },
      { parameter: 'options', right: {}, takes: optionalObject, members: importing },
    ],
  },
  {
    name: 'createPartnerDirectory',
    call: createPartnerDirectory,
    args: [
      { parameter: 'registration', right: [registration] },
      { parameter: 'options', right: {}, takes: optionalObject },
    ],
  },
  {
    name: 'createPartnerDirectory of one registration',
    call: (one: never) => createPartnerDirectory([one]),
    args: [{ parameter: 'registration', right: registration }],
  },
  {
    name: 'partnerDirectoryOf',
    call: partnerDirectoryOf,
    args: [{ parameter: 'partners', right: [partner] }],
  },
  {
    name: 'partnerDirectoryOf one partner',
    call: (one: never) => partnerDirectoryOf([one]),
    args: [
      {
        parameter: 'partners',
        right: partner,
        isOpen: true,
        members: { id: texts, issuer: optionalText, keys: [] },
      },
    ],
  },
  {
    name: 'createMemoryStore',
    call: createMemoryStore,
    args: [
      {
        parameter: 'options',
        right: { accounts: [] },
        members: { accounts: [], contacts: optional },
      },
    ],
  },
  {
    name: 'createMemoryStore with an account',
    call: (account: never) => createMemoryStore({ accounts: [account] }),
    args: [
      {
        parameter: 'accounts',
        right: { id: 'a', displayName: 'A' },
        members: { id: texts, displayName: texts, organizationId: optionalText },
      },
    ],
  },
  {
    name: 'createMemoryStore with a contact',
    call: (contact: never) => createMemoryStore({ accounts: [], contacts: [contact] }),
    args: [
      {
        parameter: 'contacts',
        right: { contactId: 'c', person: {} },
        members: {
          contactId: texts,
          person: ['an empty object'],
          organizationId: optionalText,
          customIds: optional,
        },
      },
    ],
  },
  {
    name: 'storesOverRows',
    call: storesOverRows,
    args: [{ parameter: 'parts', right: memory.parts, members: { rows: [], findAccount: [], contacts: [] } }],
  },
  {
    name: 'runOneByOne',
    call: runOneByOne,
    args: [
      { parameter: 'stores', right: storesOverRows(memory.parts), takes: ['an empty object'], isOpen: true },
      { parameter: 'connection', right: memory.connection, isOpen: true },
    ],
  },
  { name: 'storeContract', call: storeContract, args: [{ parameter: 'makeStores', right: () => store }] },
  {
    name: 'renderBootPage',
    call: renderBootPage,
    args: [
      { parameter: 'indexHtml', right: '<head></head>', takes: texts },
      { parameter: 'outcome', right: { kind: 'replayed' }, takes: ['an empty object'], isOpen: true },
      {
        parameter: 'context',
        right: { nonce: 'n' },
        members: { nonce: texts },
      },
    ],
  },
  ...Object.entries({ contradicts, hasSameName }).map(([name, call]) => ({
    name,
    call,
    args: [
      {
        parameter: 'sent',
        right: { firstname: 'Bo' },
        takes: ['an empty object'] as const,
        isOpen: true,
        members: { firstname: [...optionalText, 'null'] as const },
      },
      { parameter: 'known', right: { firstname: 'Bo' }, takes: ['an empty object'] as const, isOpen: true },
    ],
  })),
  {
    name: 'matchContact',
    call: matchContact,
    args: [
      { parameter: 'person', right: { firstname: 'Bo' }, takes: ['an empty object'], isOpen: true },
      { parameter: 'partnerId', right: 'p', takes: optionalText },
      { parameter: 'contacts', right: [] },
    ],
  },
  {
    name: 'employeeDigestOf',
    call: employeeDigestOf,
    args: [
      {
        parameter: 'employee',
        right: { partnerId: 'p', organizationId: 'o', employeeId: 'e' },
        members: { partnerId: texts, organizationId: texts, employeeId: texts },
      },
    ],
  },
  {
    name: 'normalizeIdentityNumber',
    call: normalizeIdentityNumber,
    args: [{ parameter: 'text', right: '1', takes: texts }],
  },
  { name: 'comparableSsn', call: comparableSsn, args: [{ parameter: 'ssn', right: '1', takes: texts }] },
  {
    name: 'startTestService',
    // Each service that starts is closed again.
    call: async (given: never) => await (await startTestService(given)).close(),
    args: [
      {
        parameter: 'options',
        right: {},
        takes: optionalObject,
        members: {
          partner: optionalObject,
          contacts: optional,
          isFirstVisit: optional,
          clock: optional,
        },
      },
    ],
  },
  ...(['nextDelivery', 'nextRefusal'] as const).map(name => ({
    name: `${name} of a test service`,
    call: async (given: never) => {
      await using service = await startTestService()
      await Reflect.apply(service[name], undefined, [unlessAborted(given)])
    },
    args: [
      {
        parameter: 'options',
        right: { signal: AbortSignal.abort(givenUp) },
        takes: optionalObject,
        members: { signal: optional, timeoutMs: optionalNumber },
      },
    ],
    ends: givenUp,
  })),
  {
    name: 'linkEmployee of a test service',
    call: async (given: never) => {
      await using service = await startTestService()
      await service.linkEmployee(given)
    },
    args: [
      {
        parameter: 'employee',
        right: { organizationId: 'o', employeeId: 'e' },
        members: { organizationId: texts, employeeId: texts },
      },
    ],
  },
])
