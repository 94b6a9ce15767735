import { KeyImportError } from '../../errors/key-errors.ts'
import type { PayloadAlgorithm } from '../../keys/algorithms.ts'
import { jwkSchema } from '../../keys/jwk.ts'
import { importSigningKey, type SigningKey, type SigningKeySource } from '../../keys/signing-key.ts'
import { FileError } from '../cli-errors.ts'
import type { Terminal } from '../terminal.ts'
import { readKeyFile } from './key-file.ts'

/** What `--key` of a command that signs says. */
export interface SigningKeyPlace {
  readonly key: string
  readonly kid: string | undefined
  readonly algorithm: PayloadAlgorithm | undefined
}

/**
 * Reads a private key (PKCS#8 PEM or JWK) or a shared secret (base64url text).
 *
 * @throws {FileError} when the file cannot be read, or is no key
 * @throws {KeyImportError} when the key cannot be used
 */
export async function readSigningKey(
  { key, kid, algorithm }: SigningKeyPlace,
  terminal: Terminal,
): Promise<SigningKey> {
  const source = await readSource(key, terminal)
  try {
    return await importSigningKey({ ...source, kid, algorithm })
  } catch (error) {
    throw error instanceof KeyImportError ? error.with({ path: key }) : error
  }
}

/** What holds the public half, and so cannot sign. */
const publicLabels: Readonly<Record<string, string>> = {
  CERTIFICATE: 'a certificate',
  'PUBLIC KEY': 'a public key',
  'RSA PUBLIC KEY': 'a public key',
}

async function readSource(path: string, terminal: Terminal): Promise<SigningKeySource> {
  const file = await readKeyFile(path, terminal)
  if (file.form === 'pem') {
    const privateLabel = file.labels.find(label => label.endsWith('PRIVATE KEY'))
    // From that block on: what is before it, such as a certificate or parameters, is not what is meant.
    if (privateLabel !== undefined)
      return { kind: 'pkcs8', pem: file.text.slice(file.text.indexOf(`-----BEGIN ${privateLabel}-----`)) }
    const half = publicLabels[file.labels[0] ?? '']
    if (half !== undefined)
      throw new FileError(`The file ${path} holds ${half}. Signing takes the private key that belongs to it.`)
    return { kind: 'pkcs8', pem: file.text }
  }
  if (file.form === 'text') return { kind: 'secret', secret: file.text }
  const parsed = jwkSchema.safeParse(file.value)
  if (!parsed.success)
    throw new FileError(`The file ${path} is JSON, but no JSON Web Key. Signing takes the private key.`)
  return { kind: 'jwk', jwk: parsed.data }
}
