import { FileError, type Terminal, UsageError } from '@service-link/command-line'
import type { JWK } from 'jose'
import * as z from 'zod/mini'
import { KeyImportError } from '../errors/key-errors.ts'
import { Refusal } from '../errors/refusals.ts'
import { unwrapToken } from '../explain/explain-token.ts'
import { isHttpUrl } from '../http/page-text.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { isJwk } from '../keys/jwk.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import { keyRegistrationSchema, partnerRegistrationSchema } from '../receiver/partner-registration.ts'
import { type JsonObject, readToken } from '../verify/read-token.ts'
import type { VerifyingOptions } from './command-line.ts'
import { readKeyFile, readTokenFile } from './files.ts'

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
  const isGiven = options.token !== undefined && options.token !== '-'
  const token = isGiven ? options.token : await readTokenFile(options.file, terminal)
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

/** Reads the signing time of a token; `undefined` for a text that is no token. */
function signingTimeOf(text: string): Date | undefined {
  const claims = claimsOf(text)
  if (!claims) return undefined
  const { iat } = claims
  if (typeof iat !== 'number' || !(iat >= 0 && iat <= maxSeconds))
    throw new UsageError('The token has no iat in seconds. Give --at a time.')
  return new Date(iat * 1000)
}

/** The claims, unverified; `undefined` if they cannot be read. */
export function claimsOf(token: string): JsonObject | undefined {
  try {
    return readToken(unwrapToken(token).token).claims()
  } catch (error) {
    if (error instanceof Refusal) return undefined
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
}

const termsSchema = z.object(
  z.pick(partnerRegistrationSchema, { issuer: true, policy: true, isActive: true }).shape,
)

const registrationSchema = z.pipe(
  z.looseObject({ ...termsSchema.shape, keys: z.array(keyRegistrationSchema).check(z.minLength(1)) }),
  z.transform(({ keys, ...terms }): KeyPlace => ({ sources: keys, terms: termsSchema.parse(terms) })),
)

/** The forms of a JSON file with keys: a registration of `keygen`, or one key. */
const keyJsonSchema = z.union([
  registrationSchema,
  z.pipe(
    z.tuple([registrationSchema]),
    z.transform(([registration]) => registration),
  ),
  z.pipe(
    z.custom<JWK & { readonly kty: string }>(isJwk),
    z.transform((jwk): KeyPlace => ({ sources: [{ kind: 'jwk', jwk }] })),
  ),
])

/**
 * Reads registered keys: certificates, public keys, JSON Web Keys, registrations, shared secrets, and key sets by their https
 * address. It keeps an expired certificate: the check reports it.
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
      keys.push(await importFrom(place, named, terminal))
    }
  }
  if (terms.length > 1) throw new UsageError('Give one registration: a token belongs to one partner.')
  return { keys, sources, terms: terms[0] }
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
      `The file ${place} is JSON, but neither a JSON Web Key nor a registration. Give a key set by its address.`,
    )
  return parsed.data
}
