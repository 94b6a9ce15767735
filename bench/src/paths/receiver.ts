import { median, requestsPerSecond } from '../measure/calls.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath } from '../report.ts'
import { audience, issuer, signToken } from './verify-payload.ts'

const rounds = 10
const turnMs = 300

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
    const samples: { raw: number; jose: number; ours: number }[] = []
    for (let round = -1; round < rounds; round++) {
      const sample = {
        raw: await requestsPerSecond(Number(raw.address), token, turnMs),
        jose: await requestsPerSecond(Number(jose.address), token, turnMs),
        ours: await requestsPerSecond(Number(ours.address), token, turnMs),
      }
      if (round >= 0) samples.push(sample)
    }
    return {
      rows: [
        {
          name: 'POST /partner/payload, RS256, 16 connections, by hono',
          unit: 'requests/s',
          floor: { of: 'node:http + jose', value: median(samples.map(sample => sample.raw)) },
          peer: { of: 'hono + jose', value: median(samples.map(sample => sample.jose)) },
          ours: median(samples.map(sample => sample.ours)),
          ratio: median(samples.map(sample => sample.ours / sample.jose)),
          goal: { on: 'ratio', atLeast: 1.2 },
        },
      ],
    }
  },
}
