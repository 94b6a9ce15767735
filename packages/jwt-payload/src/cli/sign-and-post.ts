import { isObject } from '@service-link/protocol-core/errors'
import { isEnd } from '@service-link/protocol-core/person'
import { FileError, printJson, type Terminal, UsageError, withProgress } from '@service-link/terminal'
import { findNearClaims } from '../claims/near-claims.ts'
import type { RefusalCode } from '../errors/refusals.ts'
import { isCompactJwt, kindOfText } from '../http/page-text.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import { isJwk } from '../keys/jwk.ts'
import { importSigningKey, type SigningKeySource } from '../keys/signing-key.ts'
import { PostOptionError, PostRefusedError } from '../post/post-errors.ts'
import { type PostedEnd, type PostedLink, postEnd, postPayload } from '../post/post-payload.ts'
import { signClaims } from '../sign/sign-payload.ts'
import { type JsonObject, maxTokenBytes, readToken } from '../verify/read-token.ts'
import { atFile, readInput, readKeyFile, readTokenFile } from './files.ts'
import { tellAfterFailure } from './tell-receiver.ts'
import { unlockKey } from './unlock-key.ts'

interface SigningOptions {
  readonly kid?: string
  readonly algorithm?: PayloadAlgorithm
  readonly issuer?: string
  /** Seconds. */
  readonly expiresIn?: number
  /** Path of a JSON file, or `-` for standard input. */
  readonly claims?: string
}

interface SignRequest extends SigningOptions {
  readonly key: string
  readonly audience: string
}

/** What is posted, and where. */
export interface PayloadOptions extends SigningOptions {
  readonly url: string
  readonly key?: string
  readonly audience?: string
  /** Path of a file with a token, or `-` for standard input. */
  readonly token?: string
}

interface PostRequest extends PayloadOptions {
  /** Seconds. */
  readonly timeout?: number
  readonly json: boolean
}

export async function runSign(request: SignRequest, terminal: Terminal): Promise<undefined> {
  await terminal.print(`${await signRequested(request, request.key, request.audience, terminal)}\n`)
}

async function signRequested(
  options: SigningOptions,
  keyPath: string,
  audience: string,
  terminal: Terminal,
): Promise<string> {
  const { kid, algorithm, issuer, expiresIn } = options
  const importing = async () => importSigningKey({ ...(await readSource(keyPath, terminal)), kid, algorithm })
  const key = await atFile(keyPath, importing())
  if (key.keyId === undefined && issuer === undefined)
    throw new UsageError(
      'A shared secret names nobody. Give --kid, or --issuer, as it is registered: the service finds you by one of them.',
    )
  const claims = parseClaims(await readInput(options.claims, 'the claims as JSON', maxTokenBytes, terminal))
  for (const { given, meant } of findNearClaims(claims))
    terminal.tell(`The service reads no claim ${given}. Did you mean ${meant}?\n`)
  return signClaims(claims, key, { audience, issuer, expiresInSeconds: expiresIn, clock: terminal.clock })
}

/** Reads a private key (PEM, PKCS#12 or JWK) or a shared secret (base64url text). */
async function readSource(path: string, terminal: Terminal): Promise<SigningKeySource> {
  const file = await readKeyFile(path, terminal)
  if (file.form === 'key') return { kind: 'pkcs8', pem: await unlockKey(path, file, terminal) }
  if (file.form === 'text') return { kind: 'secret', secret: file.text }
  if (!isJwk(file.value))
    throw new FileError(`The file ${path} is JSON, but no JSON Web Key. Signing takes the private key.`)
  return { kind: 'jwk', jwk: file.value }
}

function parseClaims(text: string): JsonObject {
  const value = readJson(text)
  if (!isObject(value))
    throw new FileError(
      'The claims are not a JSON object, such as {"organizationId": "…", "employeeId": "…", "contact": {"id": "…"}}.',
    )
  return value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Its other words quote the text.
    const place = / \(line \d+ column \d+\)$/.exec(String(error))?.[0] ?? ''
    throw new FileError(`The claims are not JSON${place}.`)
  }
}

/** Posts a payload, and prints the one-time URL of the service's answer, or what a signed end has ended. */
export async function runPost(request: PostRequest, terminal: Terminal): Promise<undefined> {
  const { url, timeout, json } = request
  const token = await tokenOf(request, terminal)
  const options = { signal: terminal.interruption(), timeoutMs: timeout && timeout * 1000 }
  try {
    const answer = await withProgress(
      terminal,
      'Waiting for the service',
      async (): Promise<PostedLink | PostedEnd> =>
        isEndToken(token) ? postEnd(url, token, options) : postPayload(url, token, options),
    )
    if (json) await printJson(answer, terminal)
    else await terminal.print(`${'url' in answer ? answer.url : answer.ended}\n`)
  } catch (error) {
    if (json && error instanceof PostRefusedError) {
      const { status, refusalCode, docsUrl: docs, requestId, retryAfterSeconds } = error
      await printJson(
        { refusal: { code: refusalCode, docs, status, requestId, retryAfterSeconds } },
        terminal,
      )
    }
    await tellAfterFailure(error, url, terminal)
    throw error
  }
}

/** The service says what is wrong with a token that cannot be read. */
function isEndToken(token: string): boolean {
  try {
    return isEnd(readToken(token).claims())
  } catch {
    return false
  }
}

/** Signs the claims, or reads the token, of a request. */
export async function tokenOf(request: PayloadOptions, terminal: Terminal): Promise<string> {
  const { key, url, audience = url, token } = request
  if (key === undefined) {
    const unused = Object.keys(request).filter(name => !postNames.includes(name))
    if (unused.length > 0)
      throw new UsageError(
        `Without --key nothing is signed. Give it, or leave out ${unused.map(flagOf).join(' and ')}.`,
      )
    const text = await readTokenFile(token, terminal)
    if (isCompactJwt(text)) return text
    throw new PostOptionError(
      `${!token || token === '-' ? 'Standard input' : `The file ${token}`} is ${kindOfText(text) ?? 'other text'}, not a token. Give the token alone, or --key to sign claims.`,
    )
  }
  if (token !== undefined)
    throw new UsageError('Give --key to sign, or --token to post what is signed, and not both.')
  return signRequested(request, key, audience, terminal)
}

const postNames = ['url', 'token', 'timeout', 'json']

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const again = 'Sign a new payload and post that; each works once.'

const advice: Partial<Record<RefusalCode, string>> = {
  ERR_PAYLOAD_KEY:
    'Look whether kid and issuer are the registered ones, and whether your certificate is still valid.',
  ERR_PAYLOAD_REPLAYED: again,
  ERR_PAYLOAD_EXPIRED: `${again} Look at this machine’s clock if it goes on.`,
  ERR_PAYLOAD_NOT_YET_VALID: 'Set the clock of the signing machine.',
  ERR_PARTNER_INACTIVE: 'Ask the service: your registration is switched off.',
  ERR_RATE_LIMITED: 'Post more slowly.',
  ERR_UNAVAILABLE: `Wait a moment. ${again}`,
}

/** Advice after a refusal of the service; `undefined` for another error. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof PostRefusedError)) return undefined
  const { refusalCode, retryAfterSeconds, requestId } = error
  if (!refusalCode)
    return 'Something other than a receiver of the partner link answered, such as a proxy. Look at the address.'
  const wait =
    retryAfterSeconds === undefined ? '' : ` The service asks to wait ${retryAfterSeconds} seconds.`
  const ask = requestId === undefined ? '' : ` The service finds this in its log as request ${requestId}.`
  return `${advice[refusalCode] ?? 'Give the token to "service-payload explain", which says what to change.'}${wait}${ask}`
}
