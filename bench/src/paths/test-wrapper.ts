import { createServer } from 'node:net'
import { join } from 'node:path'
import { startTestWrapper } from '@service-link/wrapper-host/testing'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { temporaryFolder } from '../measure/processes.ts'
import type { MeasuredPath } from '../report.ts'

/** A wrapper for a partner's or integrator's test: from start to a page that takes commands, and its end. */
export const testWrapperPath: MeasuredPath = {
  name: 'testing',
  title: 'A wrapper in a test',
  async measure() {
    const samples = await measureCallsInTurns(
      { folder: folderWithSocket, wrapper: testWrapper },
      { rounds: 50, warmUp: 10 },
    )
    return {
      rows: [
        {
          name: 'startTestWrapper and its end, median',
          unit: 'ms',
          floor: { of: 'folder with a socket', value: median(samples.folder) / 1000 },
          ours: median(samples.wrapper) / 1000,
          goal: { on: 'ours', atMost: 50 },
        },
      ],
    }
  },
}

async function testWrapper(): Promise<void> {
  await using _wrapper = await startTestWrapper()
}

async function folderWithSocket(): Promise<void> {
  await using folder = await temporaryFolder()
  const server = createServer()
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${process.pid}.bench` : join(folder.path, 'socket')
  await new Promise<void>(resolve => server.listen(address, resolve))
  await new Promise(resolve => server.close(resolve))
}
