import { connectWrapper } from '@service-link/pipe-client'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { startBrowserWrapper } from '../parties/browser-wrapper.ts'
import type { MeasuredPath } from '../report.ts'

/** A command from the pipe into a real headless page and back. */
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
          goal: { on: 'ours', atMost: 2 },
        },
      ],
    }
  },
}
