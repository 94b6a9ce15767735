import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import { importSigningKey, type SigningKey, type SigningKeySource } from '@service-link/jwt-payload'
import { readBoundedBody } from '@service-link/jwt-payload/steps'
import { pause } from '@service-link/protocol-core/time'
import { writeToken } from '../tokens/write-token.ts'

/** A receiver, and a partner that it knows. */
export interface ReceiverTarget {
  /** Address of the post, `{sso_url}/partner/payload`. */
  readonly address: string
  /** The partner's key, with its registered `kid`. */
  readonly key: SigningKeySource
  /** Registered issuer. Default: none. */
  readonly issuer?: string | undefined
}

/** An answer, without what it holds. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** The receiver under test. */
export interface ReceiverSubject extends AsyncDisposable {
  readonly address: string
  readonly issuer: string | undefined
  readonly key: SigningKey
  /** That of a private key which was given as text. */
  readonly publicKey: KeyObject | undefined
  /** A token of a usual payload; each has its own `jti`. */
  sign(changes?: Readonly<Record<string, unknown>>): Promise<string>
  /** Posts a token in the form's field. */
  post(token: string, options: PostOptions): Promise<Answer>
  request(init: RequestInit & { readonly url?: string; readonly signal: AbortSignal }): Promise<Answer>
}

interface PostOptions {
  readonly signal: AbortSignal
  /** Media types. Default: a page. */
  readonly accept?: string
}

/** More than the page of a web app has. */
const maxAnswerBytes = 4 * 1024 * 1024

/** Longest wait that a receiver may ask for, in seconds. */
const maxRetrySeconds = 20

/** A limit that lasts is the answer. */
const maxAttempts = 4

const form = 'application/x-www-form-urlencoded'

export async function openReceiver({
  address,
  key: source,
  issuer,
}: ReceiverTarget): Promise<ReceiverSubject> {
  const key = await importSigningKey(source)

  const request: ReceiverSubject['request'] = async ({ url = address, ...init }) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, { redirect: 'manual', ...init })
      const body = await readBoundedBody(response, maxAnswerBytes, init.signal)
      const seconds = Number(response.headers.get('retry-after'))
      const mayRetry =
        response.status === 429 && seconds > 0 && seconds <= maxRetrySeconds && attempt < maxAttempts
      if (!mayRetry) return { status: response.status, headers: response.headers, body: body ?? '' }
      await pause(seconds * 1000, init.signal)
    }
  }

  return {
    address,
    issuer,
    key,
    publicKey: publicKeyOf(source),
    request,
    sign: changes => writeToken(key, { ...usualClaims(address, issuer), ...changes }),
    post: (token, { signal, accept = 'text/html' }) =>
      request({
        method: 'POST',
        headers: { accept, 'content-type': form },
        body: new URLSearchParams({ payload: token }).toString(),
        signal,
      }),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function publicKeyOf(source: SigningKeySource): KeyObject | undefined {
  if (source.kind === 'jwk') return createPublicKey({ key: { ...source.jwk }, format: 'jwk' })
  return source.kind === 'pkcs8' && typeof source.pem === 'string' ? createPublicKey(source.pem) : undefined
}

function usualClaims(audience: string, issuer: string | undefined) {
  const now = Math.floor(Date.now() / 1000)
  return {
    organizationId: 'org-1',
    organizationName: 'Clinic One',
    employeeId: 'emp-7',
    employeeFirstname: 'Kari',
    employeeLastname: 'Hansen',
    contact: {
      id: '4711',
      firstname: 'Ola',
      lastname: 'Nordmann',
      birthdate: '1980-01-01',
      ssn: '01018012345',
      middlename: '',
    },
    iss: issuer,
    aud: audience,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
  }
}
