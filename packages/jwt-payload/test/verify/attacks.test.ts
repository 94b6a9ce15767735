import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { countParsed, countVerifications } from '@service-link/test-kit/count-work'
import { url as audience, registeredKey } from '@service-link/test-kit/payload-vectors'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { explainPayload, importVerificationKey, refusalStatus, verifyPayload } from '../../src/index.ts'
import { attacks } from '../support/attacks/all-attacks.ts'
import { now, signedBy } from '../support/attacks/forge.ts'

const clock = () => now
const keyNames = ['rsa', 'p256', 'ed25519', 'secret'] as const
const keys = await Promise.all(keyNames.map(name => importVerificationKey(registeredKey(name), { clock })))
const options = { keys, audience, clock, issuer: 'https://partner.example' }

/** Names and numbers of the claims, and texts of the attackers. No error may hold any. */
const told =
  /Nordmann|Clinic One|01018012345|emp-7|org-1|attacker|other\.example|DROP TABLE|passwd|jndi|<script>alert/

describe.each(['strict', 'lenient'] as const)('[5.1-signed] forgeries under the %s policy', policy => {
  afterEach(() => void vi.restoreAllMocks())

  test.each(keyNames)('the unchanged token is accepted: %s', async name => {
    await expect(verifyPayload(signedBy(name).token(), { ...options, policy })).resolves.toBeDefined()
  })

  test.each(
    attacks
      .filter(({ notUnder }) => notUnder !== policy)
      .map(attack => [`${attack.group}: ${attack.name}`.replaceAll('\0', '␀'), attack] as const),
  )('%s', async (_name, { forge }) => {
    const token = forge({ attacker: 'http://127.0.0.1:1' })
    const fetch = vi.spyOn(globalThis, 'fetch')
    const [parsed, verifications] = [countParsed(token), countVerifications()]
    const error = await verifyPayload(token, { ...options, policy }).catch((failure: unknown) => failure)
    if (!isServiceLinkError(error)) throw new TypeError('It was not refused.', { cause: error })
    expect(Object.keys(refusalStatus)).toContain(error.code)
    const said = `${error.message} ${JSON.stringify(error)}`
    expect(said).not.toMatch(told)
    for (const part of token.split('.')) if (part.length > 12) expect(said).not.toContain(part.slice(0, 200))
    // Work in proportion to the length: counted rather than timed, so that a busy machine does not matter.
    expect(fetch).not.toHaveBeenCalled()
    expect(verifications()).toBeLessThanOrEqual(keyNames.length)
    const characters = parsed().reduce((sum, { length }) => sum + length, 0)
    expect(characters).toBeLessThanOrEqual(Math.min(token.length, 64 * 1024))

    const checks = await explainPayload(token, { ...options, policy })
    const failed = checks.find(({ check, outcome }) => outcome === 'failed' && check !== 'partner')
    expect(failed?.code).toBe(error.code)
  })
})
