import { inTurns, median, medianRatio } from '../measure/calls.ts'
import { postAll } from '../measure/posts.ts'
import { startParty } from '../parties/start-party.ts'
import type { Goal, MeasuredPath, Row } from '../report.ts'
import { audience, issuer, signToken } from './verify-payload.ts'

/** The service's side of the partner link without its store: verify a post and answer with a page. */
export const receiverPath: MeasuredPath = {
  name: 'receiver',
  title: 'Receiver, verify only',
  async measure() {
    const { token, publicJwk } = await signToken('RS256')
    const input = { publicJwk, audience, issuer }
    await using peer = await startParty('receivers', { input: { kind: 'peer', ...input } })
    await using ours = await startParty('receivers', { input: { kind: 'ours', ...input } })
    const post = async (party: Party): Promise<Sample> => {
      const before = Number(await party.ask())
      const { count, perSecond } = await postAll(Number(party.address), repeat(token, 300))
      return { perSecond, micros: (Number(await party.ask()) - before) / count }
    }
    const turns = await inTurns({ peer: () => post(peer), ours: () => post(ours) }, { rounds: 10, warmUp: 1 })
    const of = 'hono + jose + zod'
    const row = (name: string, unit: Row['unit'], goal: Goal, figure: keyof Sample): Row => {
      const [peers, own] = [turns.peer, turns.ours].map(samples => samples.map(sample => sample[figure]))
      const beside = { of, value: median(peers ?? []) }
      return { name, unit, beside, ours: median(own ?? []), ratio: medianRatio(own ?? [], peers ?? []), goal }
    }
    return {
      rows: [
        row('posts, RS256, 16 connections', 'requests/s', { on: 'ratio', atLeast: 1 }, 'perSecond'),
        row('processor time of a post', 'µs', { on: 'ratio', atMost: 1 }, 'micros'),
      ],
    }
  },
}

type Party = Awaited<ReturnType<typeof startParty>>

interface Sample {
  readonly perSecond: number
  /** Processor time of a post. */
  readonly micros: number
}

function* repeat(token: string, durationMs: number) {
  const deadline = performance.now() + durationMs
  while (performance.now() < deadline) yield token
}
