import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { parseCommand } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { wrapperFolders } from '../measure/processes.ts'
import { measureSizes, type Size } from '../measure/sizes.ts'
import { openRawConnection } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import { listUsers } from '../parties/users.ts'
import { growthOf, type MeasuredPath, type Row } from '../report.ts'
import { sessionRequestBytes } from './pipe.ts'

/** The cost per unit of input must not depend on the size of the input. The longest list has about 8 MiB. */
export const growthPath: MeasuredPath = {
  name: 'growth',
  title: 'Growth',
  async measure() {
    const { growth } = await measureSizes('more profile data', 'structuredClone', [person(100), person(1000)])
    return {
      rows: [growth, growthOf('longer lists', [await measureReply(9_700), await measureReply(77_000)])],
    }
  },
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

/** A list over the pipe in session mode. Floor: a text of the same size. */
async function measureReply(count: number): Promise<Row> {
  const bytes = Buffer.byteLength(JSON.stringify({ Id: 1, Result: listUsers(count) }))
  await using folder = await temporaryFolder()
  const env = await wrapperFolders(folder.path)
  await using _wrapper = await startParty('memory-wrapper', { env })
  const input = { kind: 'session', path: join(folder.path, 'raw'), replyBytes: bytes }
  await using server = await startParty('pipe-servers', { input })
  await using client = await connectWrapper({ userFolder: env.SERVICE_WRAPPER_DATA })
  using raw = await openRawConnection(server.address, sessionRequestBytes)
  const ours = () => client.getListOfUsers({ customId: String(count) })
  const samples = await measureCallsInTurns({ raw: raw.call, ours }, { rounds: 15, warmUp: 15 })
  const beside = { of: 'net', value: median(samples.raw) }
  return { name: `${count} users`, unit: 'µs', beside, ours: median(samples.ours) }
}
