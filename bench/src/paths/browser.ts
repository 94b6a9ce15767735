import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectWrapper } from '@service-link/pipe-client'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { prepareBrowser } from '../measure/browser.ts'
import { measureCallsInTurns, median, medianOf } from '../measure/calls.ts'
import { memoryOf, processorMsOf, startProgram } from '../measure/processes.ts'
import { openBarePage } from '../parties/bare-browser.ts'
import { listInPage, startBrowserWrapper } from '../parties/browser-wrapper.ts'
import type { MeasuredPath } from '../report.ts'

export const bridgeCommandPath: MeasuredPath = {
  name: 'bridge',
  title: 'Command through the bridge',
  async measure() {
    const found = await prepareBrowser()
    if ('reason' in found) return { skipped: found.reason }
    await using browser = found
    await using wrapper = await startBrowserWrapper(browser)
    await using folder = await temporaryFolder()
    await using page = await openBarePage(browser, wrapper.url, join(folder.path, 'profile'))
    while ((await page.evaluate(listInPage)) === undefined);
    const client = await connectWrapper({ userFolder: wrapper.userFolder })
    await client.getListOfUsers()
    const samples = await measureCallsInTurns(
      { bare: () => page.evaluate(listInPage), ours: () => client.getListOfUsers() },
      { rounds: 400 },
    )
    return {
      rows: [
        {
          name: 'getlistofusers, pipe to page and back, median',
          unit: 'ms',
          beside: { of: 'DevTools', value: median(samples.bare) / 1000 },
          ours: median(samples.ours) / 1000,
          goal: { on: 'ratio', atMost: 1.3 },
        },
      ],
    }
  },
}

const sampleCount = 5
const sampleMs = 500

/** The wrapper's process without its browser, while no request arrives. */
export const idleWrapperPath: MeasuredPath = {
  name: 'idle',
  title: 'Idle wrapper, without its browser',
  async measure() {
    if (process.platform !== 'linux') return { skipped: 'Memory is read from /proc, which Linux alone has.' }
    const found = await prepareBrowser()
    if ('reason' in found) return { skipped: found.reason }
    await using browser = found
    await using wrapper = await startBrowserWrapper(browser)
    await using idle = startProgram(['-e', 'setInterval(()=>{},1e9)'])
    const client = await connectWrapper({ userFolder: wrapper.userFolder })
    await client.getListOfUsers()
    const samples: { floor: number; ours: number }[] = []
    await wait(sampleMs)
    const before = await processorMsOf(wrapper.pid)
    for (let sample = 0; sample < sampleCount; sample++) {
      await wait(sampleMs)
      const [floor, ours] = await Promise.all([memoryOf(idle.pid), memoryOf(wrapper.pid)])
      samples.push({ floor, ours })
    }
    const usedMs = (await processorMsOf(wrapper.pid)) - before
    return {
      rows: [
        {
          name: 'memory of service-webwrapper',
          unit: 'MB',
          beside: { of: 'node', value: medianOf(samples, ({ floor }) => floor) },
          ours: medianOf(samples, ({ ours }) => ours),
          goal: { on: 'ratio', atMost: 1.5 },
        },
        {
          name: 'its processor time in a second',
          unit: 'ms',
          ours: (usedMs * 1000) / (sampleCount * sampleMs),
          // One step of the clock.
          goal: { on: 'ours', atMost: 10_000 / (sampleCount * sampleMs) },
        },
      ],
    }
  },
}
