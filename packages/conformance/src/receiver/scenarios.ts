import { generateKeyPairSync } from 'node:crypto'
import { importSigningKey, type RefusalCode, refusalStatus } from '@service-link/jwt-payload'
import * as z from 'zod/mini'
import type { Role, Scenario } from '../scenario.ts'
import { writeToken } from '../tokens/write-token.ts'
import { checkPage, checkRefusal, postValid, problem } from './check-answer.ts'
import { openReceiver, type ReceiverSubject, type ReceiverTarget } from './open-receiver.ts'
import { safetyScenarios } from './safety-scenarios.ts'
import { type WrongPayload, wrongPayloads } from './wrong-payloads.ts'

type ReceiverScenario = Scenario<ReceiverSubject>

const linkSchema = z.looseObject({ url: z.url() })

function refusalOf({ id, spec, name, code, write }: WrongPayload): ReceiverScenario {
  return {
    id: `refuses-${id}`,
    spec,
    requirements: ['5.1-signed'],
    sentence: `Refuses with ${code}: ${name}.`,
    async run(receiver, { checks, signal }) {
      const token = await write(receiver)
      checkRefusal(checks, await receiver.post(token, { ...problem, signal }), code, statusOf(code), token)
    },
  }
}

const statusOf = (code: RefusalCode) => refusalStatus[code]

const scenarios: readonly ReceiverScenario[] = [
  {
    id: 'takes-a-payload',
    spec: '4.1',
    requirements: ['4.1-post', '4.1-page', '4.1-form', '5.1-signed'],
    sentence: 'Answers a posted payload with the page of the web app, which no cache keeps.',
    async run(receiver, context) {
      const { checks } = context
      const answer = await postValid(receiver, context)
      checkPage(checks, answer)
      // The header of each token begins in this way.
      checks.that(!/eyJ[\w-]+\.eyJ/.test(answer.body), 'The page holds a token.')
      checks.that(
        /\bno-store\b/.test(answer.headers.get('cache-control') ?? ''),
        'The header cache-control is not no-store.',
      )
    },
  },
  {
    id: 'takes-every-script',
    spec: '2.1',
    requirements: ['2.1-claims', '2.1-contact'],
    sentence: 'Takes names in every script, an empty middle name and claims that it does not know.',
    async run(receiver, context) {
      const contact = { id: 'å-漢-1', firstname: 'Kåre 漢字 😀', lastname: 'Ødegård', middlename: '' }
      checkPage(context.checks, await postValid(receiver, context, { contact, ownClaim: { x: 1 } }))
    },
  },
  {
    id: 'gives-a-one-time-url',
    spec: 'reference/partner-link',
    requirements: ['4.1-direct'],
    sentence: 'Gives a program that asks for JSON a URL of its own origin, which opens once.',
    async run(receiver, context) {
      const { checks, signal } = context
      const answer = await postValid(receiver, context, { accept: 'application/json' })
      checks.equal('The status', answer.status, 200)
      const link = checks.message('The answer', () => linkSchema.parse(JSON.parse(answer.body)))
      if (!link) return
      checks.equal('The origin', new URL(link.url).origin, new URL(receiver.address).origin)
      const open = () => receiver.request({ url: link.url, headers: { accept: 'text/html' }, signal })
      checkPage(checks, await open())
      checks.that((await open()).status >= 400, 'The URL opens a second time.')
    },
  },
  {
    id: 'refuses-a-replay',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Refuses a payload that was used before.',
    async run(receiver, { checks, signal }) {
      const token = await receiver.sign()
      await receiver.post(token, { signal })
      const again = await receiver.post(token, { ...problem, signal })
      checkRefusal(checks, again, 'ERR_PAYLOAD_REPLAYED', 401, token)
    },
  },
  {
    id: 'refuses-another-key',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Refuses the signature of another key under the partner’s name.',
    async run(receiver, { checks, signal }) {
      const token = await writeToken(await anotherKey(receiver), claimsOf(await receiver.sign()))
      const answer = await receiver.post(token, { ...problem, signal })
      checkRefusal(checks, answer, 'ERR_PAYLOAD_SIGNATURE', 401, token)
    },
  },
  {
    id: 'ignores-a-key-in-the-token',
    spec: 'reference/partner-link',
    requirements: ['5.1-signed'],
    sentence: 'Does not take the key from the token’s own header.',
    async run(receiver, { checks, signal }) {
      const key = await anotherKey(receiver)
      const token = await writeToken(key, claimsOf(await receiver.sign()), { jwk: key.jwk })
      const answer = await receiver.post(token, { ...problem, signal })
      checkRefusal(checks, answer, 'ERR_PAYLOAD_SIGNATURE', 401, token)
    },
  },
  {
    id: 'refuses-changed-claims',
    spec: '5.1',
    requirements: ['5.1-signed'],
    sentence: 'Refuses claims that were changed after they were signed.',
    async run(receiver, { checks, signal }) {
      const [header, , signature] = (await receiver.sign()).split('.')
      const other = (await receiver.sign({ employeeId: 'emp-8' })).split('.')[1]
      const token = [header, other, signature].join('.')
      const answer = await receiver.post(token, { ...problem, signal })
      checkRefusal(checks, answer, 'ERR_PAYLOAD_SIGNATURE', 401, token)
    },
  },
  {
    id: 'refuses-other-methods',
    spec: '4.1',
    requirements: ['4.1-post'],
    sentence: 'Refuses a PUT, and says which methods it takes.',
    async run(receiver, { checks, signal }) {
      const headers = { ...problem, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await receiver.request({ method: 'PUT', headers, body: 'payload=x', signal })
      checkRefusal(checks, answer, 'ERR_METHOD_NOT_ALLOWED', 405)
      checks.that(/\bPOST\b/.test(answer.headers.get('allow') ?? ''), 'The header allow does not name POST.')
    },
  },
  {
    id: 'refuses-other-media-types',
    spec: '4.1',
    requirements: ['4.1-post'],
    sentence: 'Refuses a body that is no form.',
    async run(receiver, { checks, signal }) {
      const body = JSON.stringify({ payload: await receiver.sign() })
      const headers = { ...problem, 'content-type': 'application/json' }
      const answer = await receiver.request({ method: 'POST', headers, body, signal })
      checkRefusal(checks, answer, 'ERR_MEDIA_TYPE', 415)
    },
  },
  {
    id: 'refuses-a-large-payload',
    spec: 'reference/partner-link',
    requirements: ['4.1-post'],
    sentence: 'Refuses a form of more than 64 KiB.',
    async run(receiver, { checks, signal }) {
      const answer = await receiver.post('x'.repeat(64 * 1024 + 1), { ...problem, signal })
      checkRefusal(checks, answer, 'ERR_PAYLOAD_TOO_LARGE', 413)
    },
  },
  {
    id: 'refuses-a-form-without-payload',
    spec: '4.1',
    requirements: ['4.1-post'],
    sentence: 'Refuses a form without the field payload.',
    async run(receiver, { checks, signal }) {
      const headers = { ...problem, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await receiver.request({ method: 'POST', headers, body: 'token=x', signal })
      checkRefusal(checks, answer, 'ERR_PAYLOAD_MISSING', 400)
    },
  },
  ...safetyScenarios,
  ...wrongPayloads.map(refusalOf),
]

function claimsOf(token: string): Uint8Array {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url')
}

/** A key of the partner's kind that the receiver does not know, under the partner's `kid`. */
async function anotherKey({ key }: ReceiverSubject) {
  const { algorithm, keyId } = key
  if (algorithm.startsWith('HS')) {
    const secret = crypto.getRandomValues(new Uint8Array(64))
    return { ...(await importSigningKey({ kind: 'secret', secret, algorithm })), keyId, jwk: undefined }
  }
  const { privateKey, publicKey } = pairFor(algorithm)
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const jwk = publicKey.export({ format: 'jwk' })
  return { ...(await importSigningKey({ kind: 'pkcs8', pem, algorithm })), keyId, jwk }
}

function pairFor(algorithm: string) {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }
  const namedCurve = curves[algorithm]
  return namedCurve === undefined
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve })
}

/** A service that takes the partner link, by its address. */
export const receiverRole: Role<ReceiverTarget, ReceiverSubject> = {
  name: 'receiver',
  scenarios,
  describe: ({ address }) => address,
  open: openReceiver,
}
