import { FileError, type Terminal, UsageError } from '@service-link/terminal'
import * as z from 'zod/mini'
import { iso } from '../errors/key-errors.ts'
import { Refusal } from '../errors/refusals.ts'
import { unwrapToken } from '../explain/explain-token.ts'
import { isHttpUrl } from '../http/page-text.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { isJwk } from '../keys/jwk.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import { keyRegistrationSchema, partnerRegistrationSchema } from '../registration/partner-registration.ts'
import { maxSeconds, type PayloadPolicy, timeOf } from '../verify/check-claims.ts'
import { type JsonObject, readToken } from '../verify/read-token.ts'
import { atFile, readKeyFile, readTokenFile } from './files.ts'
import type { VerifyingOptions } from './subcommands.ts'

export type VerifyingInput = Awaited<ReturnType<typeof readVerifyingInput>>

/** Reads the files of the options. Prints the time of the checks if it is not now. */
export async function readVerifyingInput(options: VerifyingOptions, terminal: Terminal) {
  const { audience, at } = options
  const found = await readVerificationKeys(options.key, options.kid, terminal)
  const { terms } = found
  const policy = options.policy ?? terms?.policy ?? 'strict'
  const token = await readTokenFile(options.file, terminal)
  const moment = at === 'iat' ? signingTimeOf(token, policy) : at
  if (moment)
    terminal.tell(
      `Checked as of ${iso(moment)}, ${at === 'iat' ? 'the token’s iat, ' : ''}not as of now.\n\n`,
    )
  return {
    ...found,
    token,
    audience,
    policy,
    issuer: options.issuer ?? terms?.issuer,
    clock: moment ? () => moment : terminal.clock,
    signal: terminal.interruption(),
  }
}

/** Reads the signing time of a token; `undefined` for a text that is no token. */
function signingTimeOf(text: string, policy: PayloadPolicy): Date | undefined {
  const claims = claimsOf(text)
  if (!claims) return undefined
  const iat = timeOf(claims.iat, policy)
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

interface VerificationKeys {
  readonly keys: readonly VerificationKey[]
  readonly sources: readonly VerificationKeySource[]
  /** Undefined where no file was a registration. */
  readonly terms: RegisteredTerms | undefined
}

interface KeyPlace {
  readonly sources: readonly VerificationKeySource[]
  readonly terms?: RegisteredTerms
}

const { shape } = partnerRegistrationSchema
const termsSchema = z.object({
  issuer: shape.issuer,
  policy: shape.policy,
  isActive: shape.isActive,
  repeatable: shape.repeatable,
})

const registrationSchema = z.pipe(
  z.looseObject({ ...termsSchema.shape, keys: z.array(keyRegistrationSchema).check(z.minLength(1)) }),
  z.transform(({ keys, ...terms }): KeyPlace => ({ sources: keys, terms: termsSchema.parse(terms) })),
)

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
      const importing = importVerificationKey(named, { clock: terminal.clock, validity: 'use' })
      keys.push(await atFile(place, importing))
    }
  }
  if (terms.length > 1) throw new UsageError('Give one registration: a token belongs to one partner.')
  return { keys, sources, terms: terms[0] }
}

async function readPlace(place: string, terminal: Terminal): Promise<KeyPlace> {
  if (isHttpUrl(place)) return { sources: [{ kind: 'jwks', url: place }] }
  const file = await readKeyFile(place, terminal)
  if (file.form === 'text') return { sources: [{ kind: 'secret', secret: file.text }] }
  // The import as a public key explains other blocks.
  if (file.form === 'key')
    return { sources: [{ kind: file.labels.includes('CERTIFICATE') ? 'x509' : 'spki', pem: file.pem }] }
  if (isJwk(file.value)) return { sources: [{ kind: 'jwk', jwk: file.value }] }
  // `keygen` writes a list with one registration.
  const [registration, ...others] = [file.value].flat()
  const parsed = registrationSchema.safeParse(others.length === 0 ? registration : undefined)
  if (!parsed.success)
    throw new FileError(
      `The file ${place} is JSON, but neither a JSON Web Key nor a registration. Give a key set by its address.`,
    )
  return parsed.data
}
