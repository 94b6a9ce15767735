import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, quantile } from '../measure/calls.ts'
import { temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { listUsers } from '../parties/browser-wrapper.ts'
import { requestJsonRpc, requestRaw } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

/** The pipe with one request per connection, as clients in the field use it. Each server is a separate process. */
export const pipeClassicPath: MeasuredPath = {
  name: 'pipe',
  title: 'Pipe, one request a connection',
  async measure() {
    await using folder = await temporaryFolder()
    await using wrapper = await startParty('memory-wrapper', { env: await wrapperFolders(folder.path) })
    const client = await connectWrapper({ pid: wrapper.pid, mode: 'classic' })
    const rows = await measureReply('version', folder.path, '3.0.0.0', () => client.version(), true)
    for (const count of [1, 30, 900]) {
      const call = () => client.getListOfUsers({ customId: String(count) })
      const name = `list of ${count} ${count === 1 ? 'user' : 'users'}`
      rows.push(...(await measureReply(name, folder.path, listUsers(count), call, false)))
    }
    return { rows }
  },
}

async function measureReply(
  name: string,
  folder: string,
  reply: unknown,
  call: () => Promise<unknown>,
  hasGoals: boolean,
): Promise<Row[]> {
  const replyBytes = Buffer.byteLength(JSON.stringify(reply))
  const rawPath = join(folder, 'raw')
  const rpcPath = join(folder, 'rpc')
  await using raw = await startParty('pipe-servers', { input: { kind: 'frame', path: rawPath, replyBytes } })
  await using rpc = await startParty('pipe-servers', { input: { kind: 'json-rpc', path: rpcPath, reply } })
  const request = frameOf(JSON.stringify({ Method: 'version', Args: {} }))
  const samples = await measureCallsInTurns(
    {
      raw: () => requestRaw(raw.address, request),
      rpc: () => requestJsonRpc(rpc.address),
      ours: call,
    },
    { rounds: hasGoals ? 3000 : 400, warmUp: hasGoals ? 2000 : 100 },
  )
  const row = (title: string, share: number, atMost?: number): Row => {
    const [floor, peer, ours] = [samples.raw, samples.rpc, samples.ours].map(of => quantile(of, share))
    if (floor === undefined || peer === undefined || ours === undefined)
      throw new Error('There are no samples.')
    return {
      name: title,
      unit: 'µs',
      floor: { of: 'net', value: floor },
      peer: { of: 'vscode-jsonrpc', value: peer },
      ours,
      ratio: ours / floor,
      ...(atMost ? { goal: { on: 'ratio', atMost } } : {}),
    }
  }
  if (!hasGoals) return [row(`${name}, p50`, 0.5)]
  const p50 = row(`${name}, p50`, 0.5, 1.15)
  const { floor: _floor, ...rest } = p50
  return [
    p50,
    row(`${name}, p99`, 0.99, 1.4),
    {
      ...rest,
      name: '  vscode-jsonrpc by ours, p50',
      ratio: (p50.peer?.value ?? 0) / p50.ours,
      goal: { on: 'ratio', atLeast: 2 },
    },
  ]
}

function frameOf(text: string): Buffer {
  const frame = Buffer.alloc(4 + Buffer.byteLength(text))
  frame.writeInt32LE(frame.length - 4)
  frame.write(text, 4)
  return frame
}
