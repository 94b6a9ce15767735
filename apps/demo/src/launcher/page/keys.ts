import {
  importSigningKey,
  importVerificationKey,
  type PayloadAlgorithm,
  type SigningKeySource,
  type VerificationKey,
  type VerificationKeySource,
} from '@service-link/jwt-payload'
import { parseResponse } from 'hono/client'
import { base64url, exportJWK, generateKeyPair, importPKCS8, type JWK } from 'jose'
import { ask } from '../ask.ts'
import { type Launch, type LauncherFacts, signParts, type TokenParts } from '../launch.ts'

/** Keys that the user typed. They stay in this page's memory. */
export interface TypedKeys {
  /** PKCS#8 as PEM, or a private JSON Web Key. */
  readonly pasted: string
  readonly secret: string
}

/** A key that signs, and the public part of it for the checks. */
export interface LaunchKey {
  readonly keyId: string | undefined
  readonly sign: (parts: TokenParts) => Promise<string>
  /** What the service checks the signature with: of `wrong` the registered key. */
  readonly verification: VerificationKey
  readonly source: VerificationKeySource
  /** Text to register. `undefined`: the service knows the key. */
  readonly publicText: string | undefined
}

/**
 * Gets the key of a launch. Generated keys are made once for each kind.
 *
 * @throws {KeyImportError} for a typed key that cannot be used
 */
export async function keyOf(launch: Launch, typed: TypedKeys, facts: LauncherFacts): Promise<LaunchKey> {
  const { key: choice, algorithm } = launch
  const signing =
    choice === 'registered'
      ? undefined
      : await signingSourceOf(choice, algorithm === 'none' ? 'ES256' : algorithm, typed)
  const own = signing && (await importSigningKey(signing))
  const isJournal = signing === undefined || choice === 'wrong'
  const source: VerificationKeySource = isJournal
    ? { kind: 'jwk', jwk: facts.publicKey, kid: facts.keyId }
    : publicSourceOf(signing)
  return {
    keyId: isJournal ? facts.keyId : own?.keyId,
    sign: async parts =>
      own ? signParts(parts, own) : (await parseResponse(ask.launcher.sign.$post({ json: parts }))).token,
    verification: await importVerificationKey(source),
    source,
    publicText: isJournal ? undefined : source.kind === 'jwk' ? JSON.stringify(source.jwk) : typed.secret,
  }
}

const generated = new Map<string, Promise<JWK>>()

async function signingSourceOf(
  choice: Launch['key'],
  algorithm: PayloadAlgorithm,
  { pasted, secret }: TypedKeys,
): Promise<Extract<SigningKeySource, { kind: 'jwk' | 'secret' }>> {
  if (algorithm.startsWith('HS') || choice === 'secret') {
    const used = choice === 'wrong' ? randomSecret() : secret
    return { kind: 'secret', secret: used, ...(algorithm.startsWith('HS') ? { algorithm } : {}) }
  }
  if (choice === 'pasted') return { kind: 'jwk', jwk: await readPasted(pasted, algorithm), algorithm }
  const kind = /^[RP]S/.test(algorithm) ? 'RS256' : algorithm
  const name = `${kind} ${choice}`
  const jwk = generated.get(name) ?? generate(kind)
  generated.set(name, jwk)
  return { kind: 'jwk', jwk: await jwk, algorithm }
}

async function generate(algorithm: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return exportJWK(privateKey)
}

/** A shared secret of 64 bytes, long enough for each algorithm. */
export const randomSecret = () => base64url.encode(crypto.getRandomValues(new Uint8Array(64)))

async function readPasted(text: string, algorithm: PayloadAlgorithm): Promise<JWK> {
  const key = text.trim()
  if (key.startsWith('{')) return JSON.parse(key)
  // For its sentence about a key that cannot be used.
  await importSigningKey({ kind: 'pkcs8', pem: key, algorithm })
  return exportJWK(await importPKCS8(key, algorithm, { extractable: true }))
}

function publicSourceOf(signing: Awaited<ReturnType<typeof signingSourceOf>>) {
  if (signing.kind === 'secret') return { kind: 'secret', secret: signing.secret } as const
  const { kty = '', crv, x, y, n, e, kid } = signing.jwk
  // Members that are not there are left out.
  const jwk: JWK = JSON.parse(JSON.stringify({ crv, x, y, n, e, kid }))
  return { kind: 'jwk', jwk: { ...jwk, kty } } as const
}
