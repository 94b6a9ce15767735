import { claimsFromPayload } from '@service-link/protocol-core/person'
import { paint, printJson, type Terminal, withProgress, wrapText } from '@service-link/terminal'
import { PartnerInactiveError, PayloadKeyError, PayloadShapeError, Refusal } from '../errors/refusals.ts'
import { explainPayload } from '../explain/explain-payload.ts'
import type { ExplainedCheck } from '../explain/explained-check.ts'
import { findPartner } from '../explain/find-partner.ts'
import { findSigner, readAlgorithm } from '../verify/check-signature.ts'
import { readToken } from '../verify/read-token.ts'
import { checkSigned, readTerms, type VerifiedPayload } from '../verify/verify-payload.ts'
import type { ExplainRequest, VerifyRequest } from './subcommands.ts'
import { claimsOf, readVerifyingInput, type VerifyingInput } from './verifying-input.ts'

export async function runVerify(request: VerifyRequest, terminal: Terminal): Promise<undefined> {
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
async function verifyAsService(input: VerifyingInput): Promise<VerifiedPayload> {
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
  return checkSigned(signed, verifying)
}

/** An old token may have been refused for another reason when it was new. */
const savedTokenHint = 'The token has expired. Check a saved token as of its signing time with --at iat.'

/** Explains a token. Exits as `verify` would. */
export async function runExplain(request: ExplainRequest, terminal: Terminal): Promise<0 | 3 | 4> {
  const { token, terms, ...options } = await readVerifyingInput(request, terminal)
  const registered = terms && { registration: { isActive: terms.isActive, repeatable: terms.repeatable } }
  const checks = await withProgress(terminal, 'Checking', () =>
    explainPayload(token, { ...options, ...registered }),
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

/** Width of the column of names. */
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
  if (!first)
    return wrapText(
      'Nothing is wrong with this token as far as can be checked here. Only the service can check the lines that begin with -.',
      columns,
      '',
    )
  const more =
    failed.length > 1 ? ` Then there ${failed.length === 2 ? 'is' : 'are'} ${failed.length - 1} more.` : ''
  return wrapText(
    `The service refuses this token with ${first.code}, at the check ${first.check}.${more}`,
    columns,
    '',
  )
}
