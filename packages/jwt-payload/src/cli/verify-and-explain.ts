import { claimsFromPayload, readBy } from '@service-link/protocol-core/person'
import {
  FileError,
  paint,
  printJson,
  type Terminal,
  UsageError,
  withProgress,
  wrapText,
} from '@service-link/terminal'
import * as z from 'zod/mini'
import { iso } from '../errors/key-errors.ts'
import { PartnerInactiveError, PayloadKeyError, PayloadShapeError, Refusal } from '../errors/refusals.ts'
import { explainPayload } from '../explain/explain-payload.ts'
import { unwrapToken } from '../explain/explain-token.ts'
import type { ExplainedCheck } from '../explain/explained-check.ts'
import { findPartner } from '../explain/find-partner.ts'
import { isHttpUrl } from '../http/page-text.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { isJwk } from '../keys/jwk.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import { keysSchema, partnerRegistrationSchema } from '../registration/partner-registration.ts'
import { maxSeconds, type PayloadPolicy, timeOf } from '../verify/check-claims.ts'
import { findSigner, readAlgorithm } from '../verify/check-signature.ts'
import { type JsonObject, readToken } from '../verify/read-token.ts'
import { checkSigned, readTerms, type VerifiedEnd, type VerifiedPayload } from '../verify/verify-payload.ts'
import { atFile, readKeyFile, readTokenFile } from './files.ts'

interface VerifyingOptions {
  readonly file?: string
  /** Paths, or addresses of key sets. */
  readonly key: readonly string[]
  readonly kid?: string
  readonly audience: string
  readonly issuer?: string
  readonly policy?: PayloadPolicy
  readonly at?: 'iat' | Date
  readonly json: boolean
}

export async function runVerify(request: VerifyingOptions, terminal: Terminal): Promise<undefined> {
  const input = await readVerifyingInput(request, terminal)
  try {
    const verified = await withProgress(terminal, 'Verifying', () => verifyAsService(input))
    const { algorithm, keyId, issuer, tokenId } = verified
    const payload = claimsFromPayload(verified.payload)
    const { endsAt: _endsAt, ...times } = verified.times
    await printJson(
      request.json ? { payload, algorithm, keyId, issuer, tokenId, ...times } : payload,
      terminal,
    )
  } catch (error) {
    if (request.json && error instanceof Refusal) {
      const issues = error instanceof PayloadShapeError ? { issues: error.issues } : {}
      await printJson({ refusal: { code: error.code, ...issues } }, terminal)
    }
    throw error
  }
}

/** Verifies as a service with several partners does: it finds the partner first, and checks that it is active. */
async function verifyAsService(input: VerifyingInput): Promise<VerifiedPayload | VerifiedEnd> {
  const { terms, keys, issuer, policy } = input
  const token = readToken(input.token)
  readAlgorithm(token.header)
  const found = findPartner(token, { keys, issuer, policy, isWhole: terms !== undefined })
  if (found === 'nothing')
    throw new PayloadKeyError(
      'Neither the header’s kid nor the claim iss names a registered partner. Send one of them. If the key is registered with another kid or issuer, give that here.',
    )
  const verifying = readTerms(input)
  const signed = await findSigner(token, verifying)
  token.claims()
  if (terms?.isActive === false) throw new PartnerInactiveError()
  return checkSigned(signed, { ...verifying, ends: takesEnds(terms), needsIssuer: terms === undefined })
}

/** Without a registration an end is taken: nothing says that it is not allowed. */
const takesEnds = (terms: VerifyingInput['terms']) => terms === undefined || terms.ends === true

/** An old token may have been refused for another reason when it was new. */
const savedTokenHint = 'The token has expired. Check a saved token as of its signing time with --at iat.'

/** Explains a token. Exits as `verify` would. */
export async function runExplain(
  request: VerifyingOptions & { readonly showClaims: boolean },
  terminal: Terminal,
): Promise<0 | 3 | 4> {
  const { token, terms, ...options } = await readVerifyingInput(request, terminal)
  const registered = terms && { registration: { isActive: terms.isActive, repeatable: terms.repeatable } }
  const checks = await withProgress(terminal, 'Checking', () =>
    explainPayload(token, { ...options, ends: takesEnds(terms), ...registered }),
  )
  terminal.tell(formatChecks(checks, terminal))
  if (request.at === undefined && checks.some(({ code }) => code === 'ERR_PAYLOAD_EXPIRED'))
    terminal.tell(`${wrapText(savedTokenHint, terminal.columns, '')}\n`)
  const claims = request.showClaims ? claimsOf(token) : undefined
  if (request.json) await printJson(request.showClaims ? { checks, claims } : checks, terminal)
  else if (claims) await printJson(claims, terminal)
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  if (!failed) return 0
  return failed.code === 'ERR_UNAVAILABLE' ? 3 : 4
}

const nameWidth = 11

/** Writes the result of each check for people. */
export function formatChecks(
  checks: readonly ExplainedCheck[],
  terminal: Pick<Terminal, 'columns' | 'hasColor'>,
): string {
  const { columns } = terminal
  const indent = ' '.repeat(nameWidth + 2)
  const paragraphs = checks.map(check => {
    const { mark, color } = states[stateOf(check)]
    const says = wrapText(`${check.says}${isDoubtful(check) ? ' (not trusted)' : ''}`, columns, indent)
    const change = check.change === undefined ? '' : `→ ${wrapText(check.change, columns, `${indent}  `)}`
    const name = paint(terminal, color, `${mark} ${check.check.padEnd(nameWidth)}`)
    return `${name}${says}${change && `\n${indent}${paint(terminal, 'bold', change)}`}`
  })
  return `${paragraphs.join('\n')}\n\n${summaryOf(checks, columns)}\n`
}

const states = {
  passed: { mark: '✓', color: 'green' },
  warned: { mark: '!', color: 'yellow' },
  failed: { mark: '✗', color: 'red' },
  'not-checked': { mark: '-', color: 'dim' },
} as const

function stateOf({ outcome, change }: ExplainedCheck): keyof typeof states {
  return outcome === 'passed' && change !== undefined ? 'warned' : outcome
}

/** Without a valid signature, findings about claims may mislead. */
function isDoubtful({ check, outcome, isTrusted }: ExplainedCheck): boolean {
  return (
    !isTrusted &&
    outcome !== 'not-checked' &&
    ['json', 'active', 'issuer', 'times', 'audience', 'claims'].includes(check)
  )
}

function summaryOf(checks: readonly ExplainedCheck[], columns: number): string {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  const more =
    failed.length > 1 ? ` Then there ${failed.length === 2 ? 'is' : 'are'} ${failed.length - 1} more.` : ''
  const verdict = first
    ? `The service refuses this token with ${first.code}, at the check ${first.check}.${more}`
    : 'Nothing is wrong with this token as far as can be checked here. Only the service can check the lines that begin with -.'
  return wrapText(verdict, columns, '')
}

type VerifyingInput = Awaited<ReturnType<typeof readVerifyingInput>>

/** Reads the files of the options. Prints the time of the checks if it is not now. */
async function readVerifyingInput(options: VerifyingOptions, terminal: Terminal) {
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
function claimsOf(token: string): JsonObject | undefined {
  try {
    return readToken(unwrapToken(token).token).claims()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const { issuer, policy, isActive, repeatable } = partnerRegistrationSchema.shape
const registrationSchema = z.looseObject({ issuer, policy, isActive, repeatable, keys: keysSchema })

type Registration = z.output<typeof registrationSchema>

interface KeyPlace {
  readonly sources: readonly VerificationKeySource[]
  /** Undefined where the place is no registration. */
  readonly terms?: Registration
}

/**
 * Reads registered keys: certificates, public keys, JSON Web Keys, registrations, shared secrets, and key sets by their https
 * address. It keeps an expired certificate: the check reports it.
 */
async function readVerificationKeys(places: readonly string[], kid: string | undefined, terminal: Terminal) {
  const sources: VerificationKeySource[] = []
  const keys: VerificationKey[] = []
  const terms: Registration[] = []
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
  const keys = [Object(registration).keys ?? []].flat()
  if (others.length > 0 || keys.length === 0 || keys.some(isJwk))
    throw new FileError(
      `The file ${place} is JSON, but neither a JSON Web Key nor a registration. Give a key set by its address.`,
    )
  const { value: terms, issues } = readBy(registrationSchema, registration)
  if (issues)
    throw new FileError(
      `The registration in the file ${place} is not acceptable: ${issues.map(({ path, problem }) => `${path} ${problem}`).join('; ')}.`,
    )
  return { sources: terms.keys, terms }
}
