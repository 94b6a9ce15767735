import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { inTurns, measureCallsInTurns, median, medianRatio } from '../measure/calls.ts'
import { wrapperFolders } from '../measure/processes.ts'
import {
  frameOf,
  openJsonRpcConnection,
  openRawConnection,
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

const contenderNames = { raw: 'net', rpc: 'vscode-jsonrpc' } as const

/** Medians of ours and of one contender. */
function latencyRow(name: string, samples: Samples, by: 'raw' | 'rpc', atMost: number): Row {
  return {
    name,
    unit: 'µs',
    beside: { of: contenderNames[by], value: median(samples[by]) },
    ours: median(samples.ours),
    goal: { on: 'ratio', atMost },
  }
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
    const reply = '3.0.0.0'
    await using servers = await startServers('frame', folder.path, reply.length, reply)
    const raw = () => requestRaw(servers.raw, request)
    const rpc = () => requestJsonRpc(servers.rpc)
    const contenders = { raw, rpc, ours: () => client.version() }
    const samples = await measureCallsInTurns(contenders, { rounds: 3000, warmUp: 2000 })
    return {
      rows: [latencyRow('version, p50', samples, 'raw', 1.35), latencyRow('version, p50', samples, 'rpc', 1)],
    }
  },
}

/** Length of our version request without its number. */
export const sessionRequestBytes = Buffer.byteLength('{"Id":,"Method":"version"}')

/** Users of a list. */
const userCount = 1000

/** The pipe on open connections. */
export const pipeSessionPath: MeasuredPath = {
  name: 'session',
  title: 'Pipe, session mode',
  async measure() {
    await using folder = await temporaryFolder()
    const env = await wrapperFolders(folder.path)
    await using _wrapper = await startParty('memory-wrapper', { env })
    await using client = await connectWrapper({ userFolder: env.SERVICE_WRAPPER_DATA })
    if (client.mode !== 'session') return { skipped: 'Client and wrapper speak the classic mode.' }
    const version = () => client.version()
    const rows = await beside(folder.path, '3.0.0.0', version, async contenders => {
      // First, so that the engine has compiled everything when one call is timed.
      const rates = await measureRate(contenders)
      // A core that waits for the calls of the others sleeps, and must be woken. A program's own calls follow each other.
      const turns = { rounds: 100, warmUp: 40, callsPerTurn: 50 }
      const samples = await measureCallsInTurns(contenders, turns)
      return [latencyRow('version, one in flight, p50', samples, 'raw', 1.15), ...rates]
    })
    const list = () => client.getListOfUsers({ customId: String(userCount) })
    const samples = await beside(folder.path, listUsers(userCount), list, contenders =>
      measureCallsInTurns(contenders, { rounds: 400 }),
    )
    rows.push(latencyRow('list of 1,000 users, p50', samples, 'rpc', 1.25))
    return { rows }
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
  using raw = await openRawConnection(servers.raw, sessionRequestBytes)
  using rpc = await openJsonRpcConnection(servers.rpc)
  return await measure({ raw: raw.call, rpc: rpc.call, ours })
}

/** Many requests in progress on one connection: those of one turn of the loop share a write on either side. */
async function measureRate(contenders: Contenders): Promise<Row[]> {
  const inFlight = 64
  const rateOf = (call: Call) => async () => ratePerSecond(Array(inFlight).fill(call), 300)
  const rates = await inTurns(
    { raw: rateOf(contenders.raw), rpc: rateOf(contenders.rpc), ours: rateOf(contenders.ours) },
    { rounds: 10, warmUp: 5 },
  )
  const row = (by: 'raw' | 'rpc', atLeast: number): Row => ({
    name: `version, ${inFlight} in flight`,
    unit: 'requests/s',
    beside: { of: contenderNames[by], value: median(rates[by]) },
    ours: median(rates.ours),
    ratio: medianRatio(rates.ours, rates[by]),
    goal: { on: 'ratio', atLeast },
  })
  return [row('raw', 0.75), row('rpc', 4)]
}

/** Calls a second of several callers, who each make one call after the other for a while. */
async function ratePerSecond(callers: readonly Call[], durationMs: number): Promise<number> {
  let count = 0
  const begun = performance.now()
  const makeCalls = async (call: Call) => {
    for (; performance.now() < begun + durationMs; count++) await call()
  }
  await Promise.all(callers.map(makeCalls))
  return count / ((performance.now() - begun) / 1000)
}
