import { join } from 'node:path'
import { median } from '../measure/calls.ts'
import { memoryOf, temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

const wrapperCounts = [1, 5, 20]

/** Wrappers of several users on one machine, as on a terminal server. */
export const wrappersPath: MeasuredPath = {
  name: 'wrappers',
  title: 'Wrappers on one machine',
  async measure() {
    if (process.platform !== 'linux')
      return { skipped: 'Shared memory is read from /proc, which Linux alone has.' }
    await using folder = await temporaryFolder()
    // Both start from compiled sources: a compiler's memory is not theirs.
    const common = { NODE_COMPILE_CACHE: join(folder.path, 'compiled') }
    const floor = await stagesOf(async () => startParty('idle', { env: common }))
    const ours = await stagesOf(async number => {
      const folders = await wrapperFolders(join(folder.path, String(number)))
      return startParty('memory-wrapper', { env: { ...common, ...folders } })
    })
    return { rows: wrapperCounts.flatMap((count, index) => rowsOf(count, floor[index], ours[index])) }
  },
}

/** Figures of a number of processes, each for one of them. */
interface Stage {
  readonly startMs: number
  readonly megabytes: number
}

type Party = Awaited<ReturnType<typeof startParty>>

/** Starts one process after the other; at each number of them it looks at all. */
async function stagesOf(start: (number: number) => Promise<Party>): Promise<readonly Stage[]> {
  await using resources = new AsyncDisposableStack()
  // The first one fills the cache of compiled sources.
  await (await start(0))[Symbol.asyncDispose]()
  const parties: Party[] = []
  const stages: Stage[] = []
  const starts: number[] = []
  for (const count of wrapperCounts) {
    while (parties.length < count) {
      const begun = performance.now()
      parties.push(resources.use(await start(parties.length + 1)))
      starts.push(performance.now() - begun)
    }
    const memory = await Promise.all(parties.map(({ pid }) => memoryOf(pid)))
    const sum = memory.reduce((total, { proportional }) => total + proportional, 0)
    stages.push({ startMs: median(starts.slice(-5)), megabytes: sum / count })
  }
  return stages
}

function rowsOf(count: number, floor: Stage | undefined, ours: Stage | undefined): Row[] {
  if (!floor || !ours) return []
  const row = (name: string, unit: Row['unit'], of: (stage: Stage) => number): Row => ({
    name,
    unit,
    beside: { of: 'idle node', value: of(floor) },
    ours: of(ours),
  })
  return [
    row(`${count}: memory of each, shared pages in equal parts`, 'MB', stage => stage.megabytes),
    row('  start of the last until it takes commands', 'ms', stage => stage.startMs),
  ]
}
