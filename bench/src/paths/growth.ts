import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { parseCommand } from '@service-link/protocol-core'
import { inTurns, measureCallsInTurns, median, medianOf } from '../measure/calls.ts'
import { type Load, loadOf } from '../measure/load.ts'
import { temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { measureSizes, type Size } from '../measure/sizes.ts'
import { openRawConnection } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import { listUsers } from '../parties/users.ts'
import { growthOf, type MeasuredPath, type Row } from '../report.ts'
import { sessionRequestBytes } from './pipe.ts'

/** Users of a reply: the last one has about 8 MiB. */
const userCounts = [9_700, 77_000]

const clientCounts = [50, 200]

/** Requests in flight of one client. */
const inFlight = 4

/** The cost per unit of input must not depend on the size of the input, nor that of a call on the number of clients. */
export const growthPath: MeasuredPath = {
  name: 'growth',
  title: 'Growth',
  async measure() {
    const { growth } = await measureSizes('more profile data', 'structuredClone', [person(100), person(1000)])
    return {
      rows: [
        growth,
        growthOf('longer lists', await inSequence(userCounts, measureReply)),
        growthOf('more clients', await inSequence(clientCounts, measureClients)),
      ],
    }
  },
}

async function inSequence(
  counts: readonly number[],
  measure: (count: number) => Promise<Row>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) rows.push(await measure(count))
  return rows
}

/** The arguments of `selectperson` with profile data, parsed and checked. Floor: the same value, copied. */
function person(entryCount: number): Size {
  const profiledata = Array.from({ length: entryCount }, (_, index) => ({
    key: `measure_${index}`,
    name: 'Measure',
    value: '12.5',
    unit: 'kg',
    date: '2016-06-01 10:00',
    source: 'Journal',
    customkey: 'kept',
  }))
  const args = { customid: 'p', firstname: 'Ada', lastname: 'Lovelace', profiledata }
  return {
    name: `${entryCount} entries`,
    floor: () => structuredClone(args),
    ours: () => parseCommand('selectperson', args, { culture: 'nb-NO' }),
  }
}

/** A wrapper, and a server of frames that answers with as many bytes. */
async function startBoth(replyBytes: number) {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const env = await wrapperFolders(folder.path)
  resources.use(await startParty('memory-wrapper', { env }))
  const input = { kind: 'session', path: join(folder.path, 'raw'), replyBytes }
  const { address } = resources.use(await startParty('pipe-servers', { input }))
  const owned = resources.move()
  const userFolder = env.SERVICE_WRAPPER_DATA
  return { address, userFolder, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** A list over the pipe in session mode. Floor: a text of the same size. */
async function measureReply(count: number): Promise<Row> {
  const bytes = Buffer.byteLength(JSON.stringify({ Id: 1, Result: listUsers(count) }))
  await using both = await startBoth(bytes)
  await using client = await connectWrapper({ userFolder: both.userFolder })
  using raw = await openRawConnection(both.address, sessionRequestBytes)
  const ours = () => client.getListOfUsers({ customId: String(count) })
  const samples = await measureCallsInTurns({ raw: raw.call, ours }, { rounds: 15, warmUp: 15 })
  const beside = { of: 'net', value: median(samples.raw) }
  return { name: `${count} users`, unit: 'µs', beside, ours: median(samples.ours) }
}

/** `version` of many clients at once: time by the calls of all. They share a process, so that wrapper and clients have a core each. */
async function measureClients(count: number): Promise<Row> {
  await using both = await startBoth('{"Id":0,"Result":"3.0.0.0"}'.length)
  await using resources = new AsyncDisposableStack()
  const repeat = <Result>(times: number, of: () => Result) => Array.from({ length: times }, of)
  const raw = await Promise.all(
    repeat(count, async () => resources.use(await openRawConnection(both.address, sessionRequestBytes))),
  )
  const clients = await Promise.all(
    repeat(count, async () => resources.use(await connectWrapper({ userFolder: both.userFolder }))),
  )
  const floor = raw.flatMap(({ call }) => repeat(inFlight, () => call))
  const ours = clients.flatMap(client => repeat(inFlight, () => () => client.version()))
  const turns = { floor: () => loadOf(floor, 200), ours: () => loadOf(ours, 200) }
  const loads = await inTurns(turns, { rounds: 5, warmUp: 1 })
  const microsOf = ({ perSecond }: Load) => 1e6 / perSecond
  const beside = { of: 'net', value: medianOf(loads.floor, microsOf) }
  return { name: `${count} clients`, unit: 'µs', beside, ours: medianOf(loads.ours, microsOf) }
}
