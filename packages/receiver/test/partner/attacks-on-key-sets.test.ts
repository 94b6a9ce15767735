import { generateKeyPairSync } from 'node:crypto'
import { serve } from '@service-link/test-kit/serve'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createPartnerDirectory } from '../../src/index.ts'
import { attackerEc } from '../support/attacks/attacker-keys.ts'
import { compact, es256, goodClaims, now } from '../support/attacks/forge.ts'
import { countVerifications } from '../support/count-work.ts'
import { createTestReceiver, post } from '../support/receiver.ts'

const issuer = 'https://partner.example'
const clock = () => now

/** As many keys of the partner as a set may have. */
const pairs = Array.from({ length: 64 }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }))

describe('[5.1-asymmetric] forgeries for a partner that publishes a key set', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('tokens with made-up kids cause one request, and no signature check', async () => {
    await using setting = await createSetting()
    const verifications = countVerifications()
    const tokens = Array.from({ length: 50 }, (_value, index) => forge({ kid: `key-${index}` }))
    const responses = await Promise.all(tokens.map(token => setting.receive(post(token))))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
    expect(setting.requests()).toBe(1)
    expect(verifications()).toBe(0)
  })

  test('a token without a kid is tried once with each key', async () => {
    await using setting = await createSetting()
    const verifications = countVerifications()
    expect((await setting.receive(post(forge({})))).status).toBe(401)
    expect(verifications()).toBe(pairs.length)
    expect(setting.requests()).toBe(1)
  })

  test('the partner’s own tokens pass meanwhile', async () => {
    await using setting = await createSetting()
    const [pair] = pairs
    if (!pair) throw new TypeError('There is no key.')
    await Promise.all(
      Array.from({ length: 20 }, (_value, index) => setting.receive(post(forge({ kid: `key-${index}` })))),
    )
    const own = compact({ alg: 'ES256', kid: '0' }, { ...goodClaims(), iss: issuer }, es256(pair.privateKey))
    expect((await setting.receive(post(own))).status).toBe(200)
    expect(setting.requests()).toBe(1)
  })
})

/** Signed by the attacker in the partner's name. */
function forge(header: object): string {
  return compact({ alg: 'ES256', ...header }, { ...goodClaims(), iss: issuer }, es256(attackerEc.privateKey))
}

async function createSetting() {
  let requests = 0
  const keys = pairs.map(({ publicKey }, index) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid: `${index}`,
  }))
  const server = await serve(() => {
    requests++
    return Response.json({ keys })
  })
  const partners = await createPartnerDirectory(
    [{ id: 'partner', name: 'Partner', issuer, keys: [{ kind: 'jwks', url: server.origin }] }],
    { clock, keySetTimeoutMs: 60_000 },
  )
  const { receive } = await createTestReceiver({ partners, clock })
  return { receive, requests: () => requests, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
