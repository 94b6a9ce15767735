import { measureCallsInTurns, median } from '../measure/calls.ts'
import { executable, startToExit, temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath } from '../report.ts'

/** The least cost of a hand-off over a socket: Node with node:net, one failed connection, and the end. */
const openSocket = "require('node:net').connect('/no/such/socket').on('error', () => process.exit(0))"

/** The built executable while a wrapper runs: from its start, through the hand-off, to its exit. */
export const secondLaunchPath: MeasuredPath = {
  name: 'launch',
  title: 'Second launch, start to exit',
  async measure() {
    await using folder = await temporaryFolder()
    const env = { ...process.env, ...(await wrapperFolders(folder.path)) }
    await using _wrapper = await startParty('memory-wrapper', { env })
    const samples = await measureCallsInTurns(
      {
        node: () => startToExit(['-e', '0'], env),
        net: () => startToExit(['-e', openSocket], env),
        ours: () => startToExit([executable], env),
      },
      { rounds: 40, warmUp: 2 },
    )
    const [node, net, ours] = [samples.node, samples.net, samples.ours].map(of => median(of) / 1000)
    if (node === undefined || net === undefined || ours === undefined)
      throw new Error('There are no samples.')
    return {
      rows: [
        {
          name: 'service-webwrapper',
          unit: 'ms',
          floor: { of: 'node -e 0', value: node },
          peer: { of: 'a script with node:net', value: net },
          ours,
          ratio: ours / node,
          goal: { on: 'ratio', atMost: 1.1 },
        },
      ],
    }
  },
}
