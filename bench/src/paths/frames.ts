import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { openRawConnection } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import { listUsers } from '../parties/users.ts'
import { growthOf, type MeasuredPath, type Row } from '../report.ts'
import { sessionRequestBytes } from './pipe.ts'

/** Profile entries of a request: the last one is just below the limit of 1 MiB. */
const entryCounts = [0, 250, 2000, 8000]

/** Users of a reply: the last one has about 8 MiB. */
const userCounts = [1, 300, 9700, 77_000]

/** Frames over a pipe in session mode, from the shortest to about the longest. */
export const framesPath: MeasuredPath = {
  name: 'frames',
  title: 'Frames over a pipe',
  async measure() {
    await using folder = await temporaryFolder()
    const env = await wrapperFolders(folder.path)
    await using _wrapper = await startParty('memory-wrapper', { env })
    await using client = await connectWrapper({ userFolder: env.SERVICE_WRAPPER_DATA })
    const measure = async (
      kind: 'request' | 'reply',
      [requestBytes, replyBytes]: readonly [number, number],
      ours: () => Promise<unknown>,
    ): Promise<Row> => {
      const path = join(folder.path, 'raw')
      await using server = await startParty('pipe-servers', { input: { kind: 'session', path, replyBytes } })
      using raw = await openRawConnection(server.address, requestBytes)
      const rounds = Math.max(15, Math.min(500, Math.round(2e7 / (requestBytes + replyBytes))))
      const samples = await measureCallsInTurns({ raw: raw.call, ours }, { rounds, warmUp: rounds })
      const bytes = kind === 'request' ? requestBytes : replyBytes
      const size = bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
      const beside = { of: 'net', value: median(samples.raw) }
      return { name: `${kind} of ${size}`, unit: 'µs', beside, ours: median(samples.ours) }
    }
    const requests: Row[] = []
    for (const count of entryCounts) {
      const profileData = Array.from({ length: count }, (_, index) => entry(index))
      const person = { customId: 'p', firstname: 'Ada', lastname: 'Lovelace', profileData }
      const bytes = Buffer.byteLength(JSON.stringify({ Id: 1, Method: 'selectperson', Args: person }))
      const sizes = [bytes, sessionRequestBytes] as const
      requests.push(await measure('request', sizes, () => client.selectPerson(person)))
    }
    const replies: Row[] = []
    for (const count of userCounts) {
      const bytes = Buffer.byteLength(JSON.stringify({ Id: 1, Result: listUsers(count) }))
      const list = () => client.getListOfUsers({ customId: String(count) })
      replies.push(await measure('reply', [sessionRequestBytes, bytes], list))
    }
    return { rows: [...requests, growthOf('requests', requests), ...replies, growthOf('replies', replies)] }
  },
}

function entry(index: number) {
  return {
    key: `measure_${index}`,
    name: 'Measure',
    value: '12.5',
    unit: 'kg',
    date: '2016-06-01 10:00',
    source: 'Journal',
  }
}
