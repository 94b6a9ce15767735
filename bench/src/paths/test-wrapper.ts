import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestWrapper } from '@service-link/wrapper-host/testing'
import { measureCallsInTurns, median } from '../measure/calls.ts'
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
    const floor = median(samples.folder) / 1000
    const ours = median(samples.wrapper) / 1000
    return {
      rows: [
        {
          name: 'startTestWrapper and its end, median',
          unit: 'ms',
          floor: { of: 'folder with a socket', value: floor },
          ours,
          ratio: ours / floor,
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
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const server = createServer()
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${process.pid}.bench` : join(folder, 'socket')
  await new Promise<void>(resolve => server.listen(address, resolve))
  await new Promise(resolve => server.close(resolve))
  await rm(folder, { recursive: true })
}
