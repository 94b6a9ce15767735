import { join } from 'node:path'
import { connectWrapper } from '@service-link/pipe-client'
import { measureLoad } from '../measure/load.ts'
import { memoryOf, temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { frameOf, openRawConnection, requestRaw } from '../parties/pipe-clients.ts'
import { startParty } from '../parties/start-party.ts'
import { growthOf, type MeasuredPath, type Row } from '../report.ts'
import { sessionRequestBytes } from './pipe.ts'

const clientCounts = [1, 50, 200]

/** Requests in flight of one client in session mode. */
const inFlight = 4

/** Many clients of one wrapper at once. They share a process, so that wrapper and clients have a core each. */
export const clientsPath: MeasuredPath = {
  name: 'clients',
  title: 'Clients of one wrapper',
  async measure() {
    if (process.platform !== 'linux') return { skipped: 'Memory is read from /proc, which Linux alone has.' }
    await using folder = await temporaryFolder()
    const env = await wrapperFolders(folder.path)
    await using wrapper = await startParty('memory-wrapper', { env })
    const serve = (kind: string, replyBytes: number) =>
      startParty('pipe-servers', { input: { kind, path: join(folder.path, kind), replyBytes } })
    await using sessionServer = await serve('session', '{"Id":0,"Result":"3.0.0.0"}'.length)
    await using frameServer = await serve('frame', '3.0.0.0'.length)
    const rows: Row[] = []
    const sessionTimes: Row[] = []
    const classicTimes: Row[] = []
    const classic = await connectWrapper({ pid: wrapper.pid, mode: 'classic' })
    const request = frameOf('{"Method":"version","Args":{}}')
    for (const count of clientCounts) {
      await using resources = new AsyncDisposableStack()
      const repeat = <Result>(times: number, of: () => Result) => Array.from({ length: times }, of)
      const raw = await Promise.all(
        repeat(count, async () =>
          resources.use(await openRawConnection(sessionServer.address, sessionRequestBytes)),
        ),
      )
      const clients = await Promise.all(
        repeat(count, async () =>
          resources.use(await connectWrapper({ userFolder: env.SERVICE_WRAPPER_DATA })),
        ),
      )
      const session = await measureLoad(
        `${count} in session mode, ${inFlight} in flight each`,
        raw.flatMap(({ call }) => repeat(inFlight, () => call)),
        clients.flatMap(client => repeat(inFlight, () => () => client.version())),
      )
      const single = await measureLoad(
        `${count} in classic mode at once`,
        repeat(count, () => () => requestRaw(frameServer.address, request)),
        repeat(count, () => () => classic.version()),
      )
      const memory: Row = {
        name: `  memory of the wrapper with ${count}`,
        unit: 'MB',
        beside: { of: 'net', value: await memoryOf(sessionServer.pid) },
        ours: await memoryOf(wrapper.pid),
      }
      rows.push(...session, memory, ...single)
      sessionTimes.push(session[0])
      classicTimes.push(single[0])
    }
    return {
      rows: [...rows, growthOf('session mode', sessionTimes), growthOf('classic mode', classicTimes)],
    }
  },
}
