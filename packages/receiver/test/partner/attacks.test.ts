import { registeredKey } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { partnerRegistrationSchema, type RunInTransaction } from '../../src/index.ts'
import { createMemoryStore } from '../../src/testing/index.ts'
import { attacks } from '../support/attacks/all-attacks.ts'
import type { Attack } from '../support/attacks/attack.ts'
import { attackerKeys } from '../support/attacks/attacker-keys.ts'
import { now, signedBy } from '../support/attacks/forge.ts'
import { countParsed, countVerifications } from '../support/count-work.ts'
import { ada, createTestReceiver, directoryOf, post, type TestReceiver } from '../support/receiver.ts'

const clock = () => now
const keyNames = ['rsa', 'p256', 'ed25519', 'secret'] as const

/** Names and numbers of the claims, and texts of the attackers. No answer may hold any. */
const told =
  /Nordmann|Clinic One|01018012345|emp-7|org-1|attacker|other\.example|DROP TABLE|passwd|jndi|<script>alert/

let requests = 0
const attacker = await serve(() => {
  requests++
  return Response.json(attackerKeys)
})
afterAll(() => attacker[Symbol.asyncDispose]())

describe.each(['strict', 'lenient'] as const)('[5.1-signed] forgeries under the %s policy', policy => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each(keyNames)('the unchanged token is accepted: %s', async name => {
    const target = await createTarget(policy)
    expect((await target.receive(post(signedBy(name).token()))).status).toBe(200)
    expect(target.effectCount()).toBe(1)
    const link = await target.receive(post(signedBy(name).token(), { accept: 'application/json' }))
    expect(link.status).toBe(200)
    expect(target.effectCount()).toBe(2)
  })

  test.each(
    attacks
      .filter(({ notUnder }) => notUnder !== policy)
      .map(attack => [`${attack.group}: ${attack.name}`.replaceAll('\0', '␀'), attack] as const),
  )('%s', async (_name, attack) => {
    await assertRefused(policy, attack)
  })
})

/** Asserts the refusal: no effect, no leak, and work in proportion to the length. */
async function assertRefused(policy: 'strict' | 'lenient', attack: Attack): Promise<void> {
  const before = requests
  const target = await createTarget(policy)
  const token = attack.forge({ attacker: attacker.origin })
  const work = countWork(token)
  for (const accept of ['application/json', 'text/html']) {
    const response = await target.receive(post(token, { accept }))
    expect([400, 401, 413, 422]).toContain(response.status)
    expect(response.headers.get('set-cookie')).toBeNull()
    const said = `${await response.text()} ${JSON.stringify([...response.headers])}`
    assertSilent(said, token)
  }
  expect(work.fetches()).toBe(0)
  expect(requests).toBe(before)
  expect(work.verifications()).toBeLessThanOrEqual(2 * keyNames.length)
  expect(work.parsedCharacters()).toBeLessThanOrEqual(2 * Math.min(token.length, 64 * 1024))
  expect(target.effectCount()).toBe(0)
  expect(target.store.contacts()).toEqual([])
  expect(target.outcomes).toEqual([])
  expect(target.events).toHaveLength(2)
  assertSilent(JSON.stringify(target.events), token)
}

function assertSilent(said: string, token: string): void {
  expect(said).not.toMatch(told)
  for (const part of token.split('.')) if (part.length > 12) expect(said).not.toContain(part.slice(0, 200))
}

/** Work for one post, counted rather than timed, so that a busy machine does not matter. */
function countWork(token: string) {
  const fetch = vi.spyOn(globalThis, 'fetch')
  const parsed = countParsed(token)
  return {
    verifications: countVerifications(),
    fetches: () => fetch.mock.calls.length,
    parsedCharacters: () => parsed().reduce((sum, { length }) => sum + length, 0),
  }
}

interface Target extends TestReceiver {
  /** Number of posts that reached the store. */
  readonly effectCount: () => number
}

async function createTarget(policy: 'strict' | 'lenient'): Promise<Target> {
  const store = createMemoryStore({ accounts: [ada] })
  let effectCount = 0
  const runTransaction: RunInTransaction = (work, context) => {
    effectCount++
    return store.runTransaction(work, context)
  }
  const registrations = [
    {
      id: 'target',
      name: 'Target Partner',
      issuer: 'https://partner.example',
      policy,
      keys: keyNames.map(registeredKey),
    },
    {
      id: 'bystander',
      name: 'Bystander Partner',
      keys: ['otherSecret', 'p384'].map(registeredKey),
    },
  ].map(registration => partnerRegistrationSchema.parse(registration))
  const receiver = await createTestReceiver({
    partners: await directoryOf(registrations, clock),
    runTransaction,
    clock,
  })
  return { ...receiver, store, effectCount: () => effectCount }
}
