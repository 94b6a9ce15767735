import { FileError, type Terminal } from '@service-link/command-line'
import { findNearClaims } from '../claims/near-claims.ts'
import { KeyImportError } from '../errors/key-errors.ts'
import { isJwk } from '../keys/jwk.ts'
import { importSigningKey, type SigningKey, type SigningKeySource } from '../keys/signing-key.ts'
import { signClaims } from '../sign/sign-payload.ts'
import { isObject, type JsonObject, maxTokenBytes } from '../verify/read-token.ts'
import type { SigningOptions, SignRequest } from './command-line.ts'
import { readInput, readKeyFile } from './files.ts'

/** Signs, and prints the token. */
export async function runSign(request: SignRequest, terminal: Terminal): Promise<void> {
  await terminal.print(`${await signRequested(request, request.key, request.audience, terminal)}\n`)
}

/** Reads key and claims, and signs. */
export async function signRequested(
  options: SigningOptions,
  keyPath: string,
  audience: string,
  terminal: Terminal,
): Promise<string> {
  const { issuer, expiresIn } = options
  const key = await readSigningKey(keyPath, options, terminal)
  const claims = parseClaims(await readInput(options.claims, 'the claims as JSON', maxTokenBytes, terminal))
  for (const { given, meant } of findNearClaims(claims))
    terminal.tell(`The service reads no claim ${given}. Did you mean ${meant}?\n`)
  return signClaims(claims, key, {
    audience,
    clock: terminal.clock,
    ...(issuer === undefined ? {} : { issuer }),
    ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
  })
}

/** Reads a private key (PKCS#8 PEM or JWK) or a shared secret (base64url text). */
async function readSigningKey(
  path: string,
  { kid, algorithm }: SigningOptions,
  terminal: Terminal,
): Promise<SigningKey> {
  const source = await readSource(path, terminal)
  try {
    return await importSigningKey({ ...source, kid, algorithm })
  } catch (error) {
    throw error instanceof KeyImportError ? error.with({ path }) : error
  }
}

async function readSource(path: string, terminal: Terminal): Promise<SigningKeySource> {
  const file = await readKeyFile(path, terminal)
  if (file.form === 'pem') {
    const privateLabel = file.labels.find(label => label.endsWith('PRIVATE KEY'))
    // Skips blocks before the private key, such as a certificate or parameters.
    if (privateLabel !== undefined)
      return { kind: 'pkcs8', pem: file.text.slice(file.text.indexOf(`-----BEGIN ${privateLabel}-----`)) }
    return { kind: 'pkcs8', pem: file.text }
  }
  if (file.form === 'text') return { kind: 'secret', secret: file.text }
  if (!isJwk(file.value))
    throw new FileError(`The file ${path} is JSON, but no JSON Web Key. Signing takes the private key.`)
  return { kind: 'jwk', jwk: file.value }
}

function parseClaims(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileError('The claims are not JSON.')
  }
  if (!isObject(value) || Array.isArray(value))
    throw new FileError(
      'The claims are not a JSON object, such as {"organizationId": "…", "employeeId": "…", "contact": {"id": "…"}}.',
    )
  return value
}
