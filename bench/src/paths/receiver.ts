import { median, medianRatio, takeTurns } from '../measure/calls.ts'
import { postsPerSecond } from '../measure/posts.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath } from '../report.ts'
import { audience, issuer, signToken } from './verify-payload.ts'

/** The service's side of the partner link without its store: verify a post and answer with a page. */
export const receiverPath: MeasuredPath = {
  name: 'receiver',
  title: 'Receiver, verify only',
  async measure() {
    const { token, publicJwk } = await signToken('RS256')
    const input = { publicJwk, audience, issuer }
    await using raw = await startParty('receivers', { input: { kind: 'raw', ...input } })
    await using jose = await startParty('receivers', { input: { kind: 'jose', ...input } })
    await using ours = await startParty('receivers', { input: { kind: 'ours', ...input } })
    const rateOf =
      ({ address }: { readonly address: string }) =>
      () =>
        postsPerSecond(Number(address), repeat(token, 300))
    const rates = await takeTurns(
      { raw: rateOf(raw), jose: rateOf(jose), ours: rateOf(ours) },
      { rounds: 10, warmUp: 1 },
    )
    return {
      rows: [
        {
          name: 'POST /partner/payload, RS256, 16 connections, by hono',
          unit: 'requests/s',
          floor: { of: 'node:http + jose', value: median(rates.raw) },
          peer: { of: 'hono + jose', value: median(rates.jose) },
          ours: median(rates.ours),
          ratio: medianRatio(rates.ours, rates.jose),
          goal: { on: 'ratio', atLeast: 1.2 },
        },
      ],
    }
  },
}

function* repeat(token: string, durationMs: number) {
  const deadline = performance.now() + durationMs
  while (performance.now() < deadline) yield token
}
