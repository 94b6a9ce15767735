import { isServiceLinkError } from '@service-link/protocol-core/errors'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import { type Fault, fault, startFaultyServer } from '../support/fuzz-server.ts'

/** Number of clients at a time. Each has its own server, and mostly waits. */
const clientCount = 10
const runCount = 15
/** Short, because it ends calls without an answer. */
const timeoutMs = 200
/** Longest time of one call, in milliseconds. */
const hangMs = 60_000

interface Plan {
  readonly mode: 'session' | 'classic'
  readonly faults: readonly Fault[]
}

const plan: fc.Arbitrary<Plan> = fc.record({
  mode: fc.constantFrom('session', 'session', 'classic'),
  faults: fc.array(fault, { minLength: 1, maxLength: 12 }),
})

test('for any answers of a wrapper, each call ends with a valid result or an error with a code', async () => {
  const plans = fc.array(plan, { minLength: clientCount, maxLength: clientCount })
  const counts = { results: 0, failures: 0 }
  const property = fc.asyncProperty(plans, async each => {
    for (const outcome of (await Promise.all(each.map(drive))).flat()) counts[outcome]++
  })
  await fc.assert(property, { numRuns: runCount })
  expect(counts.results).toBeGreaterThan(100)
  expect(counts.failures).toBeGreaterThan(100)
})

/** Connects, makes overlapping calls in rounds, and disconnects. */
async function drive({ mode, faults }: Plan): Promise<('results' | 'failures')[]> {
  await using server = await startFaultyServer(faults)
  const connecting = connectWrapper({ brand: server.brand, pid: process.pid, timeoutMs, mode })
  const outcomes = [await outcomeOf(connecting, () => {})]
  if (outcomes[0] === 'failures') return outcomes
  const client = await connecting
  const events = outcomeOf(readEvents(client), () => {})
  for (let round = 0; round < 3; round++) {
    outcomes.push(
      ...(await Promise.all([
        outcomeOf(client.version(), text => expect(text).toBeTypeOf('string')),
        outcomeOf(client.getListOfUsers(), users => {
          for (const { id } of users) expect(Number.isInteger(id)).toBe(true)
        }),
        outcomeOf(client.status(), ({ isLoaded }) => expect(isLoaded).toBeTypeOf('boolean')),
        outcomeOf(client.hide(), nothing => expect(nothing).toBeUndefined()),
      ])),
    )
  }
  await client.disconnect()
  await events
  await vi.waitFor(() => expect(server.openCount()).toBe(0), { timeout: hangMs })
  return outcomes
}

async function readEvents(client: WrapperClient): Promise<void> {
  for await (const { type } of client.events({ maxQueued: 3 })) expect(type).toBeTypeOf('string')
}

async function outcomeOf<Value>(
  call: Promise<Value>,
  check: (value: Value) => void,
): Promise<'results' | 'failures'> {
  const hang = Promise.withResolvers<never>()
  const timer = setTimeout(() => hang.reject(new TypeError('A call hangs.')), hangMs)
  try {
    check(await Promise.race([call, hang.promise]))
    return 'results'
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    return 'failures'
  } finally {
    clearTimeout(timer)
  }
}
