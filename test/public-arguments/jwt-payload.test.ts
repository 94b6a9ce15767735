import { submitPayload, waitForPerson, watchFrame } from '../../packages/jwt-payload/src/browser/index.ts'
import {
  discoverReceiver,
  importSigningKey,
  importVerificationKey,
  postEnd,
  postPayload,
  signPayload,
} from '../../packages/jwt-payload/src/index.ts'
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
const aborted = { signal: AbortSignal.abort(givenUp) }
const frame = { contentWindow: null }
const secret = [{ kind: 'secret', secret: 'A'.repeat(43) }, '{ secret }'] as const
const importing = [{}, '{ clock?, validity?, keySetTimeoutMs?: milliseconds, fetch? }'] as const
const verifying = 'keys, audience: text, issuer?: text, policy?, ends?, clock?, signal?'

await testPublicFunctions(
  'jwt-payload',
  {
    signPayload: {
      takes: {
        payload: [claims, '{ organizationId?: text, employeeId?: text, contact?: object, extra?: object }'],
        key: [signing, '{ kind, pem: pem }'],
        'options?': [
          { audience },
          '{ audience?: text, issuer?: text, expiresInSeconds?: seconds, keyId?: text, tokenId?: text, clock? }',
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
        options: [{ keys: key, audience }, `{ ${verifying}, sources?, receiver?, registration?: object }`],
      },
    },
    discoverReceiver: {
      takes: {
        address: [audience, 'other'],
        'options?': [
          { fetch: async () => new Response(null, { status: 404 }) },
          '{ timeoutMs?: milliseconds, signal?, fetch? }',
        ],
      },
      call: (address: never, options: never) =>
        Reflect.apply(discoverReceiver, undefined, [address, unlessAborted(options)]),
    },
    postPayload: {
      call: (url: never, given: never, options: never) =>
        Reflect.apply(postPayload, undefined, [url, given, unlessAborted(options)]),
      takes: {
        url: [audience, 'other'],
        token: [token, 'other'],
        'options?': [
          { fetch: async () => Response.json({ url: 'https://sso.example/open' }) },
          '{ timeoutMs?: milliseconds, signal?, fetch? }',
        ],
      },
    },
    postEnd: {
      call: (url: never, given: never, options: never) =>
        Reflect.apply(postEnd, undefined, [url, given, unlessAborted(options)]),
      takes: {
        url: [audience, 'other'],
        token: [token, 'other'],
        'options?': [
          { fetch: async () => Response.json({ ended: 'context' }) },
          '{ timeoutMs?: milliseconds, signal?, fetch? }',
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
        'options?': [aborted, '{ target?: text, timeoutMs?: milliseconds, waitingText?: text }'],
      },
      isBrief: true,
      ends: givenUp,
    },
    watchFrame: {
      // A program has no page: each call ends before it listens.
      call: (frame: never, url: never, onMessage: never, options: never) =>
        Reflect.apply(watchFrame, undefined, [frame, url, onMessage, unlessAborted(options)]),
      takes: {
        frame: [frame, 'other'],
        url: [audience, 'other'],
        onMessage: [() => {}, 'other'],
        'options?': [aborted, '{}'],
      },
      isBrief: true,
      ends: givenUp,
    },
    waitForPerson: {
      call: (frame: never, url: never, contactId: never, options: never) =>
        Reflect.apply(waitForPerson, undefined, [frame, url, contactId, unlessAborted(options)]),
      takes: {
        frame: [frame, 'other'],
        url: [audience, 'other'],
        contactId: ['4711', 'text'],
        'options?': [aborted, '{ timeoutMs?: milliseconds }'],
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
  },
  'isRefusalCode',
)
