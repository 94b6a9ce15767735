import { countVerifications } from '@service-link/test-kit/count-work'
import { registeredKey, url } from '@service-link/test-kit/payload-vectors'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { explainPayload, importVerificationKey } from '../../src/index.ts'
import { attackerEc } from '../support/attacks/attacker-keys.ts'
import { compact, es256, goodClaims, now } from '../support/attacks/forge.ts'

const keyNames = ['rsa', 'p256', 'ed25519', 'secret', 'certificate'] as const
const sources = keyNames.map(registeredKey)
const clock = () => now
const keys = await Promise.all(sources.map(source => importVerificationKey(source, { clock })))

/** Longest text, in characters, that a repeating pattern may see. Up to here every pattern is cheap. */
const maxRepeated = 1024

/** Texts of one long repetition with a different end. */
const runs = [' ', '=', '/', ':', '-', '\t', 'sha1 ', 'fingerprint ', '" ', '\\n', '%20', 'a']
const longTexts = runs.flatMap(run => {
  const filler = run.repeat(Math.floor(10_000 / run.length))
  return [`sha1${filler}x`, `${filler}x`, `${url}${filler}x`, `x${filler}`]
})

const stalling: readonly (readonly [string, () => string])[] = longTexts.flatMap(text => {
  const name = `${text.slice(0, 12)}…${text.slice(-3)}`
  const signed = (header: object, claims: object = {}) =>
    compact({ alg: 'ES256', ...header }, { ...goodClaims(), ...claims }, es256(attackerEc.privateKey))
  return [
    [`kid ${name}`, () => signed({ kid: text })],
    [`aud ${name}`, () => signed({ kid: 'p256' }, { aud: text })],
    [`iss ${name}`, () => signed({}, { iss: text })],
    [
      `a member ${name}`,
      () => signed({ kid: 'p256' }, { [text]: text, contact: { id: text, [text]: text } }),
    ],
    [`contact ${name}`, () => signed({ kid: 'p256' }, { contact: text })],
    [`before a token ${name}`, () => `${text}${signed({})}`],
    [`behind a token ${name}`, () => `${signed({})}${text}`],
    [`in place of a token ${name}`, () => text],
    [`in place of a signature ${name}`, () => `${signed({}).split('.', 2).join('.')}.${text}`],
  ] as const
})

describe('the work for an unsigned token is in proportion to its length', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each(stalling)('%s', async (_name, forge) => {
    const token = forge()
    const tooLong = watchPatterns()
    const verifications = countVerifications()
    const options = { keys, sources, audience: url, clock, issuer: 'https://partner.example' }
    const checks = await explainPayload(token, options)
    expect(checks.find(({ outcome }) => outcome === 'failed' || outcome === 'not-checked')).toBeDefined()
    expect(tooLong()).toEqual([])
    // Two checks, each with every key in every algorithm and with the keys' texts as secrets.
    expect(verifications()).toBeLessThanOrEqual(keys.length * 16)
    const said = checks.reduce((sum, { says, change = '' }) => sum + says.length + change.length, 0)
    expect(said).toBeLessThanOrEqual(12_000 + token.length)
  })
})

/** Collects the repeating patterns that see a text above the limit. */
function watchPatterns(): () => readonly string[] {
  const found = new Set<string>()
  const original = RegExp.prototype.exec
  // Every method of RegExp, and of String with a pattern, calls this one once it is replaced.
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    if (text.length > maxRepeated && isRepeating(this.source)) found.add(this.source)
    return original.call(this, text)
  })
  return () => [...found]
}

/** Whether a pattern repeats without limit: it has a plus or asterisk that is neither escaped nor in a class. */
function isRepeating(source: string): boolean {
  let isInClass = false
  for (let index = 0; index < source.length; index++) {
    const character = source[index]
    if (character === '\\') index++
    else if (character === '[') isInClass = true
    else if (character === ']') isInClass = false
    else if (!isInClass && (character === '+' || character === '*')) return true
  }
  return false
}
