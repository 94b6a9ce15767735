// Writes protocol-vectors/payload-verification.json. Its keys stay; add one there by hand. A token whose contents did not
// change stays, too: signatures of ES and PS algorithms are random.
//
//   node -C @service-link/source scripts/write-vectors.ts && biome format --write ../../protocol-vectors
import { readFile, writeFile } from 'node:fs/promises'
import { payloadSchema, personFromContact } from '@service-link/protocol-core'
import { base64url, CompactSign, exportJWK, importPKCS8, importSPKI } from 'jose'
import { z } from 'zod'
import { decodePem } from '../src/keys/der.ts'
import { importSigningKey } from '../src/keys/signing-key.ts'
import { audience, defaultNow, full, type PayloadCase, payloadCases } from './payload-cases.ts'

const file = new URL('../../../protocol-vectors/payload-verification.json', import.meta.url)
const storedSchema = z.object({
  keys: z.record(z.string(), z.record(z.string(), z.unknown())),
  vectors: z.array(z.object({ id: z.string(), input: z.looseObject({ token: z.string().optional() }) })),
})

const { keys, vectors: stored } = storedSchema.parse(JSON.parse(await readFile(file, 'utf8')))
const tokens = new Map(stored.map(({ id, input }) => [id, input.token]))

const vectors: unknown[] = []
for (const one of payloadCases) vectors.push(await writeVector(one))

const description =
  'Signed payloads with the keys that a partner registered, and what a verifier makes of them at the time `now`: the payload without the token’s own claims and the person in focus, or the code of the refusal (`paths`: the claims at fault). `tokenParts` stands for the texts joined, each repeated `times` times. Times are tolerated by 60 s. A key without `kid` is named by its RFC 7638 thumbprint. ERR_KEY_IMPORT is a key that cannot be registered. The keys are for tests only.'
await writeFile(file, `${JSON.stringify({ description, keys, vectors }, null, 2)}\n`)

async function writeVector(vector: PayloadCase): Promise<unknown> {
  const { id, spec = '5.1', name, policy = 'strict', issuer, now = defaultNow, error } = vector
  const input = {
    ...(vector.tokenParts ? { tokenParts: vector.tokenParts } : { token: await tokenOf(vector) }),
    keys: vector.keys ?? [vector.sign?.key],
    audience,
    policy,
    ...(issuer === undefined ? {} : { issuer }),
    now,
  }
  return error ? { id, spec, name, input, error } : { id, spec, name, input, expect: expectationOf(vector) }
}

function expectationOf({ claims = full, sign }: PayloadCase): unknown {
  const own = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])
  const sent = Object.fromEntries(Object.entries(claims).filter(([name]) => !own.has(name)))
  const payload = payloadSchema.parse(sent)
  return { algorithm: sign?.alg, payload, person: personFromContact(payload.contact) }
}

async function tokenOf(vector: PayloadCase): Promise<string> {
  if (vector.token !== undefined) return vector.token
  const text = vector.claimsText ?? JSON.stringify(vector.claims ?? full)
  const header = await headerOf(vector)
  const signingInput = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(text)}`
  const before = tokens.get(vector.id)
  if (before?.startsWith(`${signingInput}.`)) return before
  if (vector.signature === 'shortened') return shortened(() => sign(vector, text, header))
  if (vector.signature) return `${signingInput}.${await signatureOf(vector.signature, signingInput)}`
  return sign(vector, text, header)
}

async function sign(vector: PayloadCase, text: string, header: Record<string, unknown>): Promise<string> {
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: '', ...header })
    .sign(await signingKeyOf(vector), { crit: { 'urn:example:extension': true } })
}

/** Signs until the signature begins with a 0, one time in 256, and cuts that off. */
async function shortened(signAgain: () => Promise<string>): Promise<string> {
  for (;;) {
    const token = await signAgain()
    const dot = token.lastIndexOf('.')
    const signature = base64url.decode(token.slice(dot + 1))
    if (signature[0] === 0) return `${token.slice(0, dot)}.${base64url.encode(signature.subarray(1))}`
  }
}

async function headerOf({ sign, header }: PayloadCase): Promise<Record<string, unknown>> {
  if (!sign) return { ...header }
  const key = keys[sign.key] ?? {}
  const jwk = z.looseObject({ kid: z.string().optional() }).safeParse(key.jwk).data
  const full: Record<string, unknown> = {
    typ: 'JWT',
    kid: key.kid ?? jwk?.kid ?? (await thumbprintOf(key)),
    ...sign.header,
  }
  const foreign = await importSPKI(textOf('otherRsa', 'pem'), 'RS256', { extractable: true })
  if ('jwk' in full) full.jwk = await exportJWK(foreign)
  if ('x5c' in full)
    full.x5c = [
      Buffer.from(decodePem(textOf('otherCertificate', 'pem'), 'CERTIFICATE', 'x509')).toString('base64'),
    ]
  return { alg: sign.alg, ...full }
}

/** The name of a key without kid; none for a secret. */
async function thumbprintOf({ privatePem }: Record<string, unknown>): Promise<string | undefined> {
  const pem = z.string().optional().parse(privatePem)
  return pem === undefined ? undefined : (await importSigningKey({ kind: 'pkcs8', pem })).thumbprint
}

async function signingKeyOf({ sign }: PayloadCase): Promise<CryptoKey | Uint8Array> {
  if (!sign) throw new TypeError('A vector has neither a token nor a key that signs.')
  return sign.alg.startsWith('HS')
    ? base64url.decode(textOf(sign.key, 'secret'))
    : importPKCS8(textOf(sign.key, 'privatePem'), sign.alg)
}

async function signatureOf(
  kind: Exclude<NonNullable<PayloadCase['signature']>, 'shortened'>,
  signingInput: string,
): Promise<string> {
  if (kind === 'none') return ''
  const secret = kind === 'foreign' ? 'another' : textOf('rsa', 'pem')
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signingInput)))
  // An ES256 signature has 64 bytes.
  return base64url.encode(kind === 'foreign' ? Uint8Array.from([...mac, ...mac]) : mac)
}

function textOf(name: string, member: string): string {
  return z.string().parse(keys[name]?.[member])
}
