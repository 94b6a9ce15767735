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

/** Reads what the options name, and says which time counts where that is not now. */
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
    ? `Looked at as of ${time}, the iat of the token, and not as of now.`
    : `Looked at as of ${time}, and not as of now.`
}

/** Latest second that a date of four digits has. */
const maxSeconds = 253_402_300_799

/**
 * When a token says that it was signed.
 *
 * @returns `undefined` for a text that is no token: there is nothing in it whose time could count
 * @throws {UsageError} when a token does not say it in seconds
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

/** What a registration says beside its keys. */
type RegisteredTerms = z.output<typeof termsSchema>

/** The keys that a token is verified with. */
interface VerificationKeys {
  readonly keys: readonly VerificationKey[]
  readonly sources: readonly VerificationKeySource[]
  /** Undefined where no file was a registration. */
  readonly terms: RegisteredTerms | undefined
}

/** What one place holds. */
interface KeyPlace {
  readonly sources: readonly VerificationKeySource[]
  readonly terms?: RegisteredTerms
  /** Text of a key set, where the place is not its address. */
  readonly keySet?: string
}

const termsSchema = z.object(
  partnerRegistrationSchema.pick({ issuer: true, policy: true, isActive: true }).shape,
)

const registrationSchema = z
  .looseObject({ ...termsSchema.shape, keys: z.array(keyRegistrationSchema).min(1) })
  .transform(({ keys, ...terms }): KeyPlace => ({ sources: keys, terms: termsSchema.parse(terms) }))

/** Stands for the address of a key set that lies in a file; nothing is asked there. */
const fileAddress = 'https://key-set.invalid/'

/** What a JSON file of keys can be: a registration as `keygen` writes it, a key set, or one key. */
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
 * Reads what is registered: certificates, public keys, JSON Web Keys, key sets (also by their https address), registrations,
 * and shared secrets. A certificate that is not valid now is kept: saying so is the check's.
 *
 * @param places paths or addresses
 * @param kid name that they are registered under. Default: the key's own
 * @throws {FileError} when a file cannot be read, or is no key
 * @throws {KeyImportError} when a key cannot be used
 * @throws {UsageError} when there are several registrations: a token is one partner's
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
  if (terms.length > 1)
    throw new UsageError('Give one registration: a token is verified as that of one partner.')
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
  // What is neither is left to the import of a public key, which says what it is instead.
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

/** A set of which one key cannot be used is still one, as where it is published; a set of none is a mistake. */
async function assertUsable(place: string, keySet: string): Promise<void> {
  const name = `The file ${place} is a key set, and cannot be used`
  try {
    const { keys } = await readKeySet(keySet, publicKeyAlgorithms)
    if (keys.length === 0) throw new FileError(`${name}: none of its keys can.`)
  } catch (error) {
    throw error instanceof KeySetError ? new FileError(`${name}: ${error.message}.`) : error
  }
}
