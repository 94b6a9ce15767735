import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { callsPerSecond, measureCallsInTurns, median, quantile } from '../measure/calls.ts'
import { temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { listUsers } from '../parties/browser-wrapper.ts'
import { openJsonRpcSession, openRawSession } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

const inFlight = 64
const rateRounds = 10
const durationMs = 300

/** Length of our version request without its number. */
const requestBytes = Buffer.byteLength('{"Id":,"Method":"version"}')

type Call = () => Promise<unknown>
type Samples = Readonly<Record<'raw' | 'rpc' | 'ours', readonly number[]>>
type Contenders = Readonly<Record<'raw' | 'rpc' | 'ours', Call>>

export const pipeSessionPath: MeasuredPath = {
  name: 'session',
  title: 'Pipe, session mode',
  async measure() {
    await using folder = await temporaryFolder()
    await using _wrapper = await startParty('memory-wrapper', { env: await wrapperFolders(folder.path) })
    await using client = await connectWrapper({ userFolder: join(folder.path, 'data') })
    if (client.mode !== 'session') return { skipped: 'Client and wrapper speak the classic mode.' }
    const version = () => client.version()
    const rows = await beside(folder.path, '3.0.0.0', version, async contenders => [
      ...(await measureLatency('version, one in flight', contenders)),
      ...(await measureRate(contenders)),
    ])
    const costs: number[] = []
    for (const count of [10, 100, 1000]) {
      const list = () => client.getListOfUsers({ customId: String(count) })
      const row = await beside(folder.path, listUsers(count), list, contenders =>
        measureList(`list of ${count} users, p50`, contenders),
      )
      rows.push(row)
      costs.push(row.ours / count)
    }
    return { rows: [...rows, growthRow(costs)] }
  },
}

/** Starts floor and peer for one size of reply, and measures ours beside them. */
async function beside<Result>(
  folder: string,
  reply: unknown,
  ours: Call,
  measure: (contenders: Contenders) => Promise<Result>,
): Promise<Result> {
  const replyBytes = Buffer.byteLength(JSON.stringify({ Id: 0, Result: reply }))
  const [rawPath, rpcPath] = [join(folder, 'raw'), join(folder, 'rpc')]
  await using rawServer = await startParty('pipe-servers', {
    input: { kind: 'session', path: rawPath, replyBytes },
  })
  await using rpcServer = await startParty('pipe-servers', {
    input: { kind: 'json-rpc', path: rpcPath, reply },
  })
  using raw = await openRawSession(rawServer.address, requestBytes)
  using rpc = await openJsonRpcSession(rpcServer.address)
  return await measure({ raw: raw.call, rpc: rpc.call, ours })
}

async function measureLatency(name: string, contenders: Contenders): Promise<Row[]> {
  const samples = await measureCallsInTurns(contenders, { rounds: 5000, warmUp: 2000 })
  return [
    { ...latencyRow(`${name}, p50`, samples, 0.5), goal: { on: 'ratio', atMost: 1.2 } },
    latencyRow(`${name}, p99`, samples, 0.99),
  ]
}

async function measureList(name: string, contenders: Contenders): Promise<Row> {
  return latencyRow(name, await measureCallsInTurns(contenders, { rounds: 400 }), 0.5)
}

function latencyRow(name: string, samples: Samples, share: number): Row {
  const [floor, peer, ours] = [samples.raw, samples.rpc, samples.ours].map(of => quantile(of, share))
  if (floor === undefined || peer === undefined || ours === undefined)
    throw new Error('There are no samples.')
  return {
    name,
    unit: 'µs',
    floor: { of: 'net', value: floor },
    peer: { of: 'vscode-jsonrpc', value: peer },
    ours,
    ratio: ours / floor,
  }
}

/** Many requests in progress on one connection: those of one turn of the loop share a write on either side. */
async function measureRate(contenders: Contenders): Promise<Row[]> {
  const samples: Record<keyof Contenders, number>[] = []
  for (let round = -5; round < rateRounds; round++) {
    const sample = {
      raw: await callsPerSecond(contenders.raw, { inFlight, durationMs }),
      rpc: await callsPerSecond(contenders.rpc, { inFlight, durationMs }),
      ours: await callsPerSecond(contenders.ours, { inFlight, durationMs }),
    }
    if (round >= 0) samples.push(sample)
  }
  const middle = (of: (sample: (typeof samples)[number]) => number) => median(samples.map(of))
  const ours = middle(sample => sample.ours)
  const peer = { of: 'vscode-jsonrpc', value: middle(sample => sample.rpc) }
  const name = `version, ${inFlight} in flight`
  return [
    {
      name,
      unit: 'requests/s',
      floor: { of: 'net', value: middle(sample => sample.raw) },
      peer,
      ours,
      ratio: middle(sample => sample.ours / sample.raw),
      goal: { on: 'ratio', atLeast: 0.75 },
    },
    {
      name: '  ours by vscode-jsonrpc',
      unit: 'requests/s',
      peer,
      ours,
      ratio: middle(sample => sample.ours / sample.rpc),
      goal: { on: 'ratio', atLeast: 5 },
    },
  ]
}

/** Whether the cost per user stays the same. The fixed cost of a call can only lower it. */
function growthRow(costs: readonly number[]): Row {
  const [before = Number.NaN, last = Number.NaN] = costs.slice(-2)
  return {
    name: '  growth: one user, last by the one before',
    unit: 'µs',
    ours: last,
    ratio: last / before,
    goal: { on: 'ratio', atMost: 2 },
  }
}
