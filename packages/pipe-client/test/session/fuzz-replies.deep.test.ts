import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { encodeFrame } from '@service-link/protocol-core/frame'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectWrapper, type WrapperClient } from '../../src/index.ts'
import { gone, startSessionServer } from '../support/session-server.ts'

/** Number of clients at a time. Each has its own server, and mostly waits. */
const clientCount = 10
/** Short, because it ends calls without an answer. */
const timeoutMs = 200

const anything = fc.jsonValue({ maxDepth: 3 })
const nearlyMessage = fc.record(
  {
    Id: fc.oneof(fc.integer({ min: -1, max: 12 }), anything),
    Result: anything,
    Error: fc.oneof(anything, fc.record({ Code: anything, Message: anything, Details: anything })),
    Event: fc.oneof(fc.constantFrom('personselected', 'signedin', 'workoutopened', '__proto__'), anything),
    Data: anything,
    error: anything,
    code: anything,
  },
  { requiredKeys: [] },
)

/** Answers of the wrapper in turn: the right one, bytes in its place, or a way to be silent. */
const answers = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('right' as const) },
    fc.constantFrom('silence', 'end', 'destroy', 'twice'),
    fc.oneof(nearlyMessage, anything).map(value => encodeFrame(JSON.stringify(value))),
    fc.uint8Array({ minLength: 1, maxLength: 60 }),
  ),
  { minLength: 1, maxLength: 12 },
)

const results: Readonly<Record<string, unknown>> = {
  hello: { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [], maxinflight: 8 },
  version: '3.0.0.0',
  getlistofusers: [{ id: 1, firstname: 'Åse' }],
  status: { loaded: true, signedin: true, person: null },
  subscribe: { events: ['personselected'] },
  cancel: { cancelled: false },
}

test('for any answers of a wrapper, each call ends with a valid result or an error with a code', async () => {
  const plans = fc.array(answers, { minLength: clientCount, maxLength: clientCount })
  const counts = { results: 0, failures: 0 }
  const property = fc.asyncProperty(plans, async each => {
    for (const outcome of (await Promise.all(each.map(drive))).flat()) counts[outcome]++
  })
  await fc.assert(property, { numRuns: 15 })
  expect(counts.results).toBeGreaterThan(100)
  expect(counts.failures).toBeGreaterThan(100)
})

/** Connects, makes overlapping calls in rounds, and disconnects. A call that hangs fails the test by its time limit. */
async function drive(plan: typeof answers extends fc.Arbitrary<infer Plan> ? Plan : never) {
  let count = 0
  await using server = await startSessionServer(
    (connection, request) => {
      const answer = plan[count++ % plan.length]
      const { socket } = connection
      if (answer instanceof Uint8Array && socket.writable) socket.write(answer)
      if (answer === 'end' || answer === 'destroy') socket[answer]()
      if (answer === 'right' || answer === 'twice') connection.reply(request, results[request.Method])
      if (answer === 'twice') connection.reply(request, results[request.Method])
    },
    { answersAll: true },
  )
  const connecting = connectWrapper({ brand: server.brand, timeoutMs })
  const outcomes = [await outcomeOf(connecting, () => {})]
  if (outcomes[0] === 'failures') return outcomes
  const client = await connecting
  const events = outcomeOf(readEvents(client), () => {})
  for (let round = 0; round < 3; round++)
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
  await client.disconnect()
  await events
  await Promise.all(server.connections.map(gone))
  return outcomes
}

async function readEvents(client: WrapperClient): Promise<void> {
  for await (const { type } of client.events({ maxQueued: 3 })) expect(type).toBeTypeOf('string')
}

async function outcomeOf<Value>(
  call: Promise<Value>,
  check: (value: Value) => void,
): Promise<'results' | 'failures'> {
  try {
    check(await call)
    return 'results'
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    return 'failures'
  }
}
