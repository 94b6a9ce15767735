import { encodeFrame } from '@service-link/protocol-core/frame'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectWrapper } from '../../src/index.ts'
import { type ServedConnection, type SessionRequest, startSessionServer } from '../support/session-server.ts'

/** One call, and whether the wrapper refuses it. */
interface Asked {
  readonly id: number
  readonly isRefused: boolean
}

const plans = fc.record({
  calls: fc.array(fc.record({ id: fc.integer({ min: 0, max: 1_000_000 }), isRefused: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  }),
  /** Order of the replies, by these numbers. */
  ranks: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  /** Sizes of the pieces of the byte stream, used in turn. */
  pieces: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
  hasEvents: fc.boolean(),
})

test('each call gets its own answer, for any order of replies and any split of bytes', async () => {
  let serve: (connection: ServedConnection, request: SessionRequest) => void = () => {}
  await using server = await startSessionServer((connection, request) => serve(connection, request))
  await using client = await connectWrapper({ brand: server.brand })
  await fc.assert(
    fc.asyncProperty(plans, async ({ calls, ranks, pieces, hasEvents }) => {
      const waiting: [SessionRequest, Asked][] = []
      serve = ({ socket }, request) => {
        waiting.push([request, calls[waiting.length] ?? { id: -1, isRefused: false }])
        if (waiting.length < calls.length) return
        const ranked = waiting.map((held, index) => ({ held, rank: ranks[index] ?? 0 }))
        const texts = ranked
          .sort((a, b) => a.rank - b.rank)
          .flatMap(({ held }) => [
            ...(hasEvents ? ['{"Event":"signedin","Data":null}'] : []),
            answerOf(...held),
          ])
        void writePieces(socket, Buffer.concat(texts.map(text => encodeFrame(text))), pieces)
      }
      const answers = await Promise.all(
        calls.map(({ id }) =>
          client.getListOfUsers({ customId: String(id) }).then(
            users => ({ id: users[0]?.id, isRefused: false }),
            error => ({ id: Number(/\d+/.exec(error.message)?.[0]), isRefused: true }),
          ),
        ),
      )
      expect(answers).toEqual(calls)
    }),
    { numRuns: 100 },
  )
  expect(server.connections).toHaveLength(1)
})

function answerOf({ Id, Args }: SessionRequest, { isRefused }: Asked): string {
  const id = Number(Args?.customid)
  return JSON.stringify(
    isRefused
      ? { Id, Error: { Code: 'ERR_NOT_FOUND', Message: `${id} is unknown.` } }
      : { Id, Result: [{ id }] },
  )
}

async function writePieces(
  socket: ServedConnection['socket'],
  bytes: Buffer,
  sizes: readonly number[],
): Promise<void> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    await new Promise(done => socket.write(bytes.subarray(at, at + size), done))
    at += size
  }
}
