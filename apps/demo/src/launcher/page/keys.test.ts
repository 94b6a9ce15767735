import { explainPayload, payloadAlgorithms } from '@service-link/jwt-payload'
import { createPartnerKey } from '@service-link/service/testing'
import { expect, test } from 'vitest'
import { startLaunch, tokenParts } from '../launch.ts'
import { presets } from '../presets.ts'
import { keyOf, randomSecret } from './keys.ts'
import { signLaunch } from './launch-state.ts'
import { sentenceOf } from './texts.ts'

const { issuer, publicKey } = await createPartnerKey()
const address = 'https://service.example/partner/payload'
const visit = { organizationId: 'o-1', employeeId: 'e-1', contact: { id: 'c-1' } }
const facts = { address, issuer, publicKey, keyId: 'journal', claims: visit }
const typed = { pasted: '', secret: randomSecret() }

test.each(payloadAlgorithms)('a new key signs with %s, and its public part proves it', async algorithm => {
  const launch = { ...startLaunch(facts), algorithm, key: 'generated' } as const
  const key = await keyOf(launch, typed, facts)
  const token = await key.sign(tokenParts(launch, { keyId: key.keyId, issuer }))
  const checks = await explainPayload(token, {
    keys: key.verification,
    audience: address,
    sources: [key.source],
  })
  const outcomes = checks.map(({ outcome }) => outcome)
  expect(outcomes).toContain('passed')
  expect(outcomes).not.toContain('failed')
})

test('a key set that is registered later fails no check before', async () => {
  const start = startLaunch(facts)
  const change = presets.ERR_UNAVAILABLE.change?.(start)
  const { checks } = await signLaunch({ ...start, ...change, preset: 'ERR_UNAVAILABLE' }, typed, facts)
  expect(checks.map(({ outcome }) => outcome)).not.toContain('failed')
})

test('a server that does not answer is named', () => {
  expect(sentenceOf(new TypeError('Failed to fetch'))).toMatch(/journal’s server does not answer/)
})
