import { setTimeout as wait } from 'node:timers/promises'
import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, median, medianOf } from '../measure/calls.ts'
import { memoryOf, startProgram } from '../measure/processes.ts'
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
    return {
      rows: [
        {
          name: 'getlistofusers, pipe to page and back, median',
          unit: 'ms',
          floor: { of: 'version, no page', value: median(samples.version) / 1000 },
          ours: median(samples.page) / 1000,
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
    if (process.platform !== 'linux') return { skipped: 'Memory is read from /proc, which Linux alone has.' }
    const started = await startBrowserWrapper()
    if ('reason' in started) return { skipped: started.reason }
    await using wrapper = started
    await using idle = startProgram(['-e', 'setInterval(()=>{},1e9)'])
    const client = await connectWrapper({ userFolder: wrapper.userFolder })
    await client.getListOfUsers()
    const samples: { floor: number; ours: number }[] = []
    for (let sample = 0; sample < 5; sample++) {
      await wait(500)
      const [floor, ours] = await Promise.all([memoryOf(idle.pid), memoryOf(wrapper.pid)])
      samples.push({ floor: floor.resident, ours: ours.resident })
    }
    return {
      rows: [
        {
          name: 'service-webwrapper without its browser',
          unit: 'MB',
          floor: { of: 'node', value: medianOf(samples, ({ floor }) => floor) },
          ours: medianOf(samples, ({ ours }) => ours),
          goal: { on: 'ratio', atMost: 1.4 },
        },
      ],
    }
  },
}
