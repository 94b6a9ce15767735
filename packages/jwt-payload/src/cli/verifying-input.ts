import { FileError, type Terminal, UsageError } from '@service-link/command-line'
import { z } from 'zod'
import { KeyImportError } from '../errors/key-errors.ts'
import { Refusal } from '../errors/refusals.ts'
import { unwrapToken } from '../explain/explain-token.ts'
import { isHttpUrl } from '../http/page-text.ts'
import { publicKeyAlgorithms } from '../keys/algorithms.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { jwkSchema } from '../keys/jwk.ts'
import { KeySetError, readKeySet } from '../keys/key-set.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import { keyRegistrationSchema, partnerRegistrationSchema } from '../receiver/partner-registration.ts'
import { readToken } from '../verify/read-token.ts'
import type { VerifyingOptions } from './command-line.ts'
import { readKeyFile, takeToken } from './files.ts'

/** Token, keys and options, read. */
export interface VerifyingInput extends VerificationKeys {
  readonly token: string
  readonly audience: string
  readonly policy: 'strict' | 'lenient'
  readonly issuer: string | undefined
  readonly clock: () => Date
  readonly signal: AbortSignal
}

/** Reads the files of the options. Prints the time of the checks if it is not now. */
export async function readVerifyingInput(
  options: VerifyingOptions,
  terminal: Terminal,
): Promise<VerifyingInput> {
  const { audience, at } = options
  const { keys, sources, terms } = await readVerificationKeys(options.key, options.kid, terminal)
  const token = await takeToken({ token: options.token, file: options.file }, terminal)
  const moment = at === 'iat' ? signingTimeOf(token) : at
  if (moment) terminal.tell(`${noteOf(moment, at === 'iat')}\n\n`)
  return {
    token,
    keys,
    sources,
    terms,
    audience,
    policy: options.policy ?? terms?.policy ?? 'strict',
    issuer: options.issuer ?? terms?.issuer,
    clock: moment ? () => moment : terminal.clock,
    signal: terminal.interruption(),
  }
}

function noteOf(moment: Date, isSigningTime: boolean): string {
  const time = `${moment.toISOString().slice(0, 19)}Z`
  return isSigningTime
    ? `Checked as of ${time}, the token’s iat, not as of now.`
    : `Checked as of ${time}, not as of now.`
}

/** The last second of the year 9999. */
const maxSeconds = 253_402_300_799

/**
 * Reads the signing time of a token.
 *
 * @returns `undefined` for a text that is no token
 * @throws {UsageError} when a token has no iat in seconds
 */
function signingTimeOf(text: string): Date | undefined {
  const iat = readIat(text)
  if (iat === 'no token') return undefined
  if (typeof iat !== 'number' || !(iat >= 0 && iat <= maxSeconds))
    throw new UsageError('The token has no iat in seconds. Give --at a time.')
  return new Date(iat * 1000)
}

function readIat(text: string): unknown {
  try {
    return readToken(unwrapToken(text).token).claims().iat
  } catch (error) {
    if (error instanceof Refusal) return 'no token'
    throw error
  }
}

/** A registration without its keys. */
type RegisteredTerms = z.output<typeof termsSchema>

/** The keys that verify a token. */
interface VerificationKeys {
  readonly keys: readonly VerificationKey[]
  readonly sources: readonly VerificationKeySource[]
  /** Undefined where no file was a registration. */
  readonly terms: RegisteredTerms | undefined
}

/** The content of a file or address. */
interface KeyPlace {
  readonly sources: readonly VerificationKeySource[]
  readonly terms?: RegisteredTerms
  /** Text of a key set from a file. */
  readonly keySet?: string
}

const termsSchema = z.object(
  partnerRegistrationSchema.pick({ issuer: true, policy: true, isActive: true }).shape,
)

const registrationSchema = z
  .looseObject({ ...termsSchema.shape, keys: z.array(keyRegistrationSchema).min(1) })
  .transform(({ keys, ...terms }): KeyPlace => ({ sources: keys, terms: termsSchema.parse(terms) }))

/** Stands for the address of a key set in a file. It is never fetched. */
const fileAddress = 'https://key-set.invalid/'

/** The forms of a JSON file with keys: a registration of `keygen`, a key set, or one key. */
const keyJsonSchema = z.union([
  registrationSchema,
  z.tuple([registrationSchema]).transform(([registration]) => registration),
  z.looseObject({ keys: z.array(jwkSchema).min(1) }).transform(
    (keySet): KeyPlace => ({
      sources: [{ kind: 'jwks', url: fileAddress }],
      keySet: JSON.stringify(keySet),
    }),
  ),
  jwkSchema.transform((jwk): KeyPlace => ({ sources: [{ kind: 'jwk', jwk }] })),
])

/**
 * Reads registered keys: certificates, public keys, JSON Web Keys, key sets (also by their https address), registrations, and
 * shared secrets. It keeps an expired certificate: the check reports it.
 *
 * @param places paths or addresses
 * @param kid their registered key id. Default: the key's own
 * @throws {FileError} when a file cannot be read, or is no key
 * @throws {KeyImportError} when a key cannot be used
 * @throws {UsageError} when there are several registrations
 */
async function readVerificationKeys(
  places: readonly string[],
  kid: string | undefined,
  terminal: Terminal,
): Promise<VerificationKeys> {
  const sources: VerificationKeySource[] = []
  const keys: VerificationKey[] = []
  const terms: RegisteredTerms[] = []
  for (const place of places) {
    const found = await readPlace(place, terminal)
    if (found.terms) terms.push(found.terms)
    for (const source of found.sources) {
      const named = kid === undefined ? source : { ...source, kid }
      sources.push(named)
      keys.push(await importFrom(place, named, found.keySet, terminal))
    }
  }
  if (terms.length > 1) throw new UsageError('Give one registration: a token belongs to one partner.')
  return { keys, sources, terms: terms[0] }
}

async function importFrom(
  place: string,
  source: VerificationKeySource,
  keySet: string | undefined,
  { clock }: Terminal,
): Promise<VerificationKey> {
  const served = keySet === undefined ? {} : { fetch: async () => new Response(keySet) }
  try {
    return await importVerificationKey(source, { clock, validity: 'use', ...served })
  } catch (error) {
    throw error instanceof KeyImportError ? error.with({ path: place }) : error
  }
}

async function readPlace(place: string, terminal: Terminal): Promise<KeyPlace> {
  if (isHttpUrl(place)) return { sources: [{ kind: 'jwks', url: place }] }
  const file = await readKeyFile(place, terminal)
  if (file.form === 'text') return { sources: [{ kind: 'secret', secret: file.text }] }
  // The import as a public key explains other blocks.
  if (file.form === 'pem')
    return { sources: [{ kind: file.labels.includes('CERTIFICATE') ? 'x509' : 'spki', pem: file.text }] }
  const parsed = keyJsonSchema.safeParse(file.value)
  if (!parsed.success)
    throw new FileError(
      `The file ${place} is JSON, but neither a JSON Web Key, nor a key set, nor a registration.`,
    )
  if (parsed.data.keySet !== undefined) await assertUsable(place, parsed.data.keySet)
  return parsed.data
}

/** Some keys of a set may be unusable, but not all. */
async function assertUsable(place: string, keySet: string): Promise<void> {
  const name = `The key set ${place} cannot be used`
  try {
    const { keys } = await readKeySet(keySet, publicKeyAlgorithms)
    if (keys.length === 0) throw new FileError(`${name}: it has no usable key.`)
  } catch (error) {
    throw error instanceof KeySetError ? new FileError(`${name}: ${error.message}.`) : error
  }
}
