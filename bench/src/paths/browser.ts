import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { residentMegabytes } from '../measure/processes.ts'
import { startBrowserWrapper } from '../parties/browser-wrapper.ts'
import type { MeasuredPath } from '../report.ts'

export const bridgeCommandPath: MeasuredPath = {
  name: 'bridge',
  title: 'Command through the bridge',
  async measure() {
    const started = await startBrowserWrapper()
    if ('reason' in started) return { skipped: started.reason }
    await using wrapper = started
    const client = await connectWrapper({ userFolder: wrapper.userFolder })
    await client.getListOfUsers()
    const samples = await measureCallsInTurns(
      { version: () => client.version(), page: () => client.getListOfUsers() },
      { rounds: 400 },
    )
    const floor = median(samples.version) / 1000
    const ours = median(samples.page) / 1000
    return {
      rows: [
        {
          name: 'getlistofusers, pipe to page and back, median',
          unit: 'ms',
          floor: { of: 'version, no page', value: floor },
          ours,
          ratio: ours / floor,
          goal: { on: 'ours', atMost: 0.8 },
        },
      ],
    }
  },
}

/** The wrapper's process without its browser, while no request arrives. */
export const idleMemoryPath: MeasuredPath = {
  name: 'memory',
  title: 'Memory of an idle wrapper',
  async measure() {
    if (process.platform === 'win32') return { skipped: 'There is no ps to ask on Windows.' }
    const started = await startBrowserWrapper()
    if ('reason' in started) return { skipped: started.reason }
    await using wrapper = started
    const idle = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e9)'], { stdio: 'ignore' })
    try {
      const client = await connectWrapper({ userFolder: wrapper.userFolder })
      await client.getListOfUsers()
      const samples: { floor: number; ours: number }[] = []
      for (let sample = 0; sample < 5; sample++) {
        await wait(500)
        const [floor, ours] = await Promise.all([
          residentMegabytes(idle.pid ?? 0),
          residentMegabytes(wrapper.pid),
        ])
        samples.push({ floor: floor ?? Number.NaN, ours: ours ?? Number.NaN })
      }
      const floor = median(samples.map(sample => sample.floor))
      const ours = median(samples.map(sample => sample.ours))
      return {
        rows: [
          {
            name: 'service-webwrapper without its browser',
            unit: 'MB',
            floor: { of: 'node', value: floor },
            ours,
            ratio: ours / floor,
            goal: { on: 'ratio', atMost: 1.4 },
          },
        ],
      }
    } finally {
      const exited = once(idle, 'exit')
      idle.kill()
      await exited
    }
  },
}
