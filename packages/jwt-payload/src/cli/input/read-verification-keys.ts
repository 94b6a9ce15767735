import { z } from 'zod'
import { isHttpUrl } from '../../http/is-http-url.ts'
import { importVerificationKey } from '../../keys/import-verification-key.ts'
import { jwkSchema } from '../../keys/jwk-schema.ts'
import { KeyImportError } from '../../keys/key-errors.ts'
import type { VerificationKeySource } from '../../keys/key-source.ts'
import type { VerificationKey } from '../../keys/verification-key.ts'
import { keyRegistrationSchema } from '../../receiver/registration/partner-registration.ts'
import { FileError } from '../cli-errors.ts'
import type { Terminal } from '../terminal.ts'
import { readKeyFile } from './key-file.ts'

/** The keys that a token is verified with. */
export interface VerificationKeys {
  readonly keys: readonly VerificationKey[]
  readonly sources: readonly VerificationKeySource[]
}

const registrationSchema = z.looseObject({ keys: z.array(keyRegistrationSchema).min(1) })

/** What a JSON file of keys can be: a key set, a registration as `keygen` writes it, or one key. */
const keyJsonSchema = z.union([
  registrationSchema.transform(({ keys }) => keys),
  z.tuple([registrationSchema]).transform(([{ keys }]) => keys),
  z.looseObject({ keys: z.array(jwkSchema).min(1) }).transform(({ keys }) => keys.map(jwkSource)),
  jwkSchema.transform(jwk => [jwkSource(jwk)]),
])

/**
 * Reads what is registered: certificates, public keys, JSON Web Keys, key sets (also by their https address), registrations,
 * and shared secrets. A certificate that is not valid now is kept: saying so is the check's.
 *
 * @param places paths or addresses
 * @param kid name that they are registered under. Default: the key's own
 * @throws {FileError} when a file cannot be read, or is no key
 * @throws {KeyImportError} when a key cannot be used
 */
export async function readVerificationKeys(
  places: readonly string[],
  kid: string | undefined,
  terminal: Terminal,
): Promise<VerificationKeys> {
  const sources: VerificationKeySource[] = []
  const keys: VerificationKey[] = []
  for (const place of places)
    for (const source of await readSources(place, terminal)) {
      const named = kid === undefined ? source : { ...source, kid }
      sources.push(named)
      keys.push(await importFrom(place, named, terminal))
    }
  return { keys, sources }
}

async function importFrom(
  place: string,
  source: VerificationKeySource,
  { clock }: Terminal,
): Promise<VerificationKey> {
  try {
    return await importVerificationKey(source, { clock, validity: 'use' })
  } catch (error) {
    throw error instanceof KeyImportError ? error.with({ path: place }) : error
  }
}

async function readSources(place: string, terminal: Terminal): Promise<readonly VerificationKeySource[]> {
  if (isHttpUrl(place)) return [{ kind: 'jwks', url: place }]
  const file = await readKeyFile(place, terminal)
  if (file.form === 'text') return [{ kind: 'secret', secret: file.text }]
  // What is neither is left to the import of a public key, which says what it is instead.
  if (file.form === 'pem') return [{ kind: file.label === 'CERTIFICATE' ? 'x509' : 'spki', pem: file.text }]
  const parsed = keyJsonSchema.safeParse(file.value)
  if (!parsed.success)
    throw new FileError(
      `The file ${place} is JSON, but neither a JSON Web Key, nor a key set, nor a registration.`,
    )
  return parsed.data
}

function jwkSource(jwk: z.output<typeof jwkSchema>): VerificationKeySource {
  return { kind: 'jwk', jwk }
}
