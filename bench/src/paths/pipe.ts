import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, median, medianRatio, quantile, takeTurns } from '../measure/calls.ts'
import { loadOf } from '../measure/load.ts'
import { temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import {
  frameOf,
  openJsonRpcSession,
  openRawSession,
  requestJsonRpc,
  requestRaw,
} from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import { listUsers } from '../parties/users.ts'
import type { MeasuredPath, Row } from '../report.ts'

type Call = () => Promise<unknown>
type Contenders = Readonly<Record<'raw' | 'rpc' | 'ours', Call>>
type Samples = Readonly<Record<keyof Contenders, readonly number[]>>

/** Starts floor and peer for one reply, each in a separate process. */
async function startServers(kind: 'frame' | 'session', folder: string, replyBytes: number, reply: unknown) {
  await using resources = new AsyncDisposableStack()
  const start = async (input: { readonly path: string; readonly kind: string }) =>
    resources.use(await startParty('pipe-servers', { input: { replyBytes, reply, ...input } })).address
  const raw = await start({ kind, path: join(folder, 'raw') })
  const rpc = await start({ kind: 'json-rpc', path: join(folder, 'rpc') })
  const owned = resources.move()
  return { raw, rpc, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function latencyRow(name: string, samples: Samples, share: number, atMost?: number): Row {
  return {
    name,
    unit: 'µs',
    floor: { of: 'net', value: quantile(samples.raw, share) },
    peer: { of: 'vscode-jsonrpc', value: quantile(samples.rpc, share) },
    ours: quantile(samples.ours, share),
    goal: atMost === undefined ? undefined : { on: 'ratio', atMost },
  }
}

/** Compares a long list with the peer, which writes and reads the same JSON. */
function listByPeer({ floor: _floor, ...row }: Row): Row {
  const ratio = row.ours / (row.peer?.value ?? Number.NaN)
  return { ...row, name: '  ours by vscode-jsonrpc', ratio, goal: { on: 'ratio', atMost: 0.6 } }
}

/** The pipe with one request per connection, as clients in the field use it. */
export const pipeClassicPath: MeasuredPath = {
  name: 'pipe',
  title: 'Pipe, one request a connection',
  async measure() {
    await using folder = await temporaryFolder()
    await using wrapper = await startParty('memory-wrapper', { env: await wrapperFolders(folder.path) })
    const client = await connectWrapper({ pid: wrapper.pid, mode: 'classic' })
    const request = frameOf(JSON.stringify({ Method: 'version', Args: {} }))
    const sample = async (reply: unknown, ours: Call, rounds: number, warmUp: number) => {
      const replyBytes = Buffer.byteLength(JSON.stringify(reply))
      await using servers = await startServers('frame', folder.path, replyBytes, reply)
      const raw = () => requestRaw(servers.raw, request)
      const rpc = () => requestJsonRpc(servers.rpc)
      return await measureCallsInTurns({ raw, rpc, ours }, { rounds, warmUp })
    }
    const version = await sample('3.0.0.0', () => client.version(), 3000, 2000)
    const p50 = latencyRow('version, p50', version, 0.5, 1.15)
    const { floor: _floor, ...rest } = p50
    const rows: Row[] = [
      p50,
      latencyRow('version, p99', version, 0.99, 1.4),
      {
        ...rest,
        name: '  vscode-jsonrpc by ours, p50',
        ratio: (p50.peer?.value ?? 0) / p50.ours,
        goal: { on: 'ratio', atLeast: 2 },
      },
    ]
    for (const count of [1, 30, 900]) {
      const call = () => client.getListOfUsers({ customId: String(count) })
      const name = `list of ${count} ${count === 1 ? 'user' : 'users'}, p50`
      const reply = await classicList(wrapper.address, count)
      const row = latencyRow(name, await sample(reply, call, 400, 100), 0.5)
      rows.push(row, ...(count === 900 ? [listByPeer(row)] : []))
    }
    return { rows }
  },
}

/** The list in the spelling of the classic mode, so that floor and peer carry the same bytes. */
async function classicList(address: string, count: number): Promise<unknown> {
  const request = frameOf(JSON.stringify({ Method: 'getlistofusers', Args: { customid: String(count) } }))
  return JSON.parse((await requestRaw(address, request)).toString())
}

/** Length of our version request without its number. */
export const sessionRequestBytes = Buffer.byteLength('{"Id":,"Method":"version"}')

/** The pipe on open connections. */
export const pipeSessionPath: MeasuredPath = {
  name: 'session',
  title: 'Pipe, session mode',
  async measure() {
    await using folder = await temporaryFolder()
    await using _wrapper = await startParty('memory-wrapper', { env: await wrapperFolders(folder.path) })
    await using client = await connectWrapper({ userFolder: join(folder.path, 'data') })
    if (client.mode !== 'session') return { skipped: 'Client and wrapper speak the classic mode.' }
    const rows = await beside(
      folder.path,
      '3.0.0.0',
      () => client.version(),
      async contenders => {
        // First, so that the engine has compiled everything when one call is timed.
        const rates = await measureRate(contenders)
        // A core that waits for the calls of the others sleeps, and must be woken. A program's own calls follow each other.
        const turns = { rounds: 100, warmUp: 40, callsPerTurn: 50 }
        const samples = await measureCallsInTurns(contenders, turns)
        return [
          latencyRow('version, one in flight, p50', samples, 0.5, 1.15),
          latencyRow('version, one in flight, p99', samples, 0.99),
          ...rates,
        ]
      },
    )
    const costs: number[] = []
    for (const count of [10, 100, 1000]) {
      const list = () => client.getListOfUsers({ customId: String(count) })
      const samples = await beside(folder.path, listUsers(count), list, contenders =>
        measureCallsInTurns(contenders, { rounds: 400 }),
      )
      const row = latencyRow(`list of ${count} users, p50`, samples, 0.5)
      rows.push(row, ...(count === 1000 ? [listByPeer(row)] : []))
      costs.push(row.ours / count)
    }
    return { rows: [...rows, growthRow(costs)] }
  },
}

/** Measures ours beside floor and peer for one size of reply, each on one connection. */
async function beside<Result>(
  folder: string,
  reply: unknown,
  ours: Call,
  measure: (contenders: Contenders) => Promise<Result>,
): Promise<Result> {
  const replyBytes = Buffer.byteLength(JSON.stringify({ Id: 0, Result: reply }))
  await using servers = await startServers('session', folder, replyBytes, reply)
  using raw = await openRawSession(servers.raw, sessionRequestBytes)
  using rpc = await openJsonRpcSession(servers.rpc)
  return await measure({ raw: raw.call, rpc: rpc.call, ours })
}

/** Many requests in progress on one connection: those of one turn of the loop share a write on either side. */
async function measureRate(contenders: Contenders): Promise<Row[]> {
  const inFlight = 64
  const rateOf = (call: Call) => async () => (await loadOf(Array(inFlight).fill(call), 300)).perSecond
  const { raw, rpc, ours } = await takeTurns(
    { raw: rateOf(contenders.raw), rpc: rateOf(contenders.rpc), ours: rateOf(contenders.ours) },
    { rounds: 10, warmUp: 5 },
  )
  const common = {
    unit: 'requests/s',
    peer: { of: 'vscode-jsonrpc', value: median(rpc) },
    ours: median(ours),
  } as const
  return [
    {
      ...common,
      name: `version, ${inFlight} in flight`,
      floor: { of: 'net', value: median(raw) },
      ratio: medianRatio(ours, raw),
      goal: { on: 'ratio', atLeast: 0.85 },
    },
    {
      ...common,
      name: '  ours by vscode-jsonrpc',
      ratio: medianRatio(ours, rpc),
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
