import { docsUrlOf } from '@service-link/protocol-core/errors'
import { claimsFromPayload } from '@service-link/protocol-core/person'
import {
  FileError,
  paint,
  printJson,
  type Terminal,
  UsageError,
  withProgress,
  wrapText,
} from '@service-link/terminal'
import { iso } from '../errors/key-errors.ts'
import { PartnerInactiveError, PayloadKeyError, PayloadShapeError, Refusal } from '../errors/refusals.ts'
import { explainPayload } from '../explain/explain-payload.ts'
import { claimsOf, signingTimeOf } from '../explain/explain-token.ts'
import type { ExplainedCheck } from '../explain/explained-check.ts'
import { findPartner } from '../explain/find-partner.ts'
import { checkMarks, isDoubtful, stateOf, verdictOf } from '../explain/verdict.ts'
import { isHttpUrl } from '../http/page-text.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import type { VerificationKey, VerificationKeySource } from '../keys/verification-key.ts'
import {
  explainedTerms,
  type RegisteredKeys,
  type Registration,
  readRegisteredKeys,
} from '../registration/registered-keys.ts'
import type { PayloadPolicy } from '../verify/check-claims.ts'
import { findSigner, readAlgorithm } from '../verify/check-signature.ts'
import { readToken } from '../verify/read-token.ts'
import { checkSigned, readTerms, type VerifiedEnd, type VerifiedPayload } from '../verify/verify-payload.ts'
import { atFile, readKeyFile, readTokenFile } from './files.ts'
import { askReceiver } from './tell-receiver.ts'

interface VerifyingOptions {
  readonly file?: string
  /** Paths, or addresses of key sets. */
  readonly key: readonly string[]
  readonly kid?: string
  readonly audience?: string
  /** Address of a receiver that is asked. */
  readonly receiver?: string
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
      await printJson({ refusal: { code: error.code, docs: error.docsUrl, ...issues } }, terminal)
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
  return checkSigned(signed, {
    ...verifying,
    ends: explainedTerms(terms).ends,
    needsIssuer: terms === undefined,
  })
}

/** An old token may have been refused for another reason when it was new. */
const savedTokenHint = 'The token has expired. Check a saved token as of its signing time with --at iat.'

/** Explains a token. Exits as `verify` would. */
export async function runExplain(
  request: VerifyingOptions & { readonly showClaims: boolean },
  terminal: Terminal,
): Promise<0 | 3 | 4> {
  const { token, terms, ...options } = await readVerifyingInput(request, terminal)
  const checks = await withProgress(terminal, 'Checking', () =>
    explainPayload(token, { ...explainedTerms(terms), ...options }),
  )
  terminal.tell(formatChecks(checks, terminal))
  if (request.at === undefined && checks.some(({ code }) => code === 'ERR_PAYLOAD_EXPIRED'))
    terminal.tell(`${wrapText(savedTokenHint, terminal.columns, '')}\n`)
  const claims = request.showClaims ? claimsOf(token) : undefined
  const coded = checks.map(check => (check.code ? { ...check, docs: docsUrlOf(check.code) } : check))
  if (request.json) await printJson(request.showClaims ? { checks: coded, claims } : coded, terminal)
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
    const state = stateOf(check)
    const says = wrapText(`${check.says}${isDoubtful(check) ? ' (not trusted)' : ''}`, columns, indent)
    const change = check.change === undefined ? '' : `→ ${wrapText(check.change, columns, `${indent}  `)}`
    const name = paint(terminal, colors[state], `${checkMarks[state]} ${check.check.padEnd(nameWidth)}`)
    return `${name}${says}${change && `\n${indent}${paint(terminal, 'bold', change)}`}`
  })
  const { code } = checks.find(({ outcome }) => outcome === 'failed') ?? {}
  const address = code === undefined ? '' : `\n${docsUrlOf(code)}`
  return `${paragraphs.join('\n')}\n\n${wrapText(verdictOf(checks), columns, '')}${address}\n`
}

const colors = { passed: 'green', warned: 'yellow', failed: 'red', 'not-checked': 'dim' } as const

type VerifyingInput = Awaited<ReturnType<typeof readVerifyingInput>>

/** Reads the files of the options. Prints the time of the checks if it is not now. */
async function readVerifyingInput(options: VerifyingOptions, terminal: Terminal) {
  const { at, receiver: address } = options
  const receiver = address === undefined ? undefined : await askReceiver(address, terminal)
  const found = await readVerificationKeys(options.key, options.kid, terminal)
  const { terms } = found
  const policy = options.policy ?? terms?.policy ?? 'strict'
  const token = await readTokenFile(options.file, terminal)
  const moment = at === 'iat' ? momentOf(token, policy) : at
  if (moment)
    terminal.tell(
      `Checked as of ${iso(moment)}, ${at === 'iat' ? 'the token’s iat, ' : ''}not as of now.\n\n`,
    )
  return {
    ...found,
    token,
    receiver,
    audience: receiver?.audiences ?? options.audience ?? address ?? '',
    policy,
    issuer: options.issuer ?? terms?.issuer,
    clock: moment ? () => moment : terminal.clock,
    signal: terminal.interruption(),
  }
}

/** Reads the signing time of a token; `undefined` for a text that is no token. */
function momentOf(text: string, policy: PayloadPolicy): Date | undefined {
  const moment = signingTimeOf(text, policy)
  if (!moment && claimsOf(text)) throw new UsageError('The token has no iat in seconds. Give --at a time.')
  return moment
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

async function readPlace(place: string, terminal: Terminal): Promise<RegisteredKeys> {
  if (isHttpUrl(place)) return { sources: [{ kind: 'jwks', url: place }] }
  const found = readRegisteredKeys(await readKeyFile(place, terminal))
  if (found.problem !== undefined) throw new FileError(`The file ${place} ${found.problem}`)
  return found
}
