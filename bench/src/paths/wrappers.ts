import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../measure/calls.ts'
import { memoryOf, processorMsOf, temporaryFolder, wrapperFolders } from '../measure/processes.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

const wrapperCounts = [1, 5, 10, 20]

/** Time in which the idle processes are watched, in milliseconds. */
const idleMs = 2000

/** Wrappers of several users or sessions on one machine, as on a terminal server. */
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
    const rows = wrapperCounts.flatMap((count, index) => rowsOf(count, floor[index], ours[index]))
    const last = ours.at(-1)
    return { rows: last ? [...rows, idleRow(Math.max(...wrapperCounts), last)] : rows }
  },
}

/** Figures of a number of processes, each for one of them. */
interface Stage {
  readonly startMs: number
  readonly resident: number
  readonly proportional: number
  /** Processor time of all together in a second without work. */
  readonly idleCpuMs: number
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
    await wait(idleMs / 2)
    const before = await processorMsOf(parties)
    await wait(idleMs)
    const after = await processorMsOf(parties)
    const memory = await Promise.all(parties.map(({ pid }) => memoryOf(pid)))
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    stages.push({
      startMs: median(starts.slice(-5)),
      resident: mean(memory.map(({ resident }) => resident)),
      proportional: mean(memory.map(({ proportional }) => proportional)),
      idleCpuMs: ((after - before) / idleMs) * 1000,
    })
  }
  return stages
}

function rowsOf(count: number, floor: Stage | undefined, ours: Stage | undefined): Row[] {
  if (!floor || !ours) return []
  const row = (name: string, unit: Row['unit'], of: (stage: Stage) => number): Row => ({
    name,
    unit,
    floor: { of: 'idle node', value: of(floor) },
    ours: of(ours),
  })
  return [
    row(`${count}: memory of each, shared pages in equal parts`, 'MB', stage => stage.proportional),
    row('  resident memory of each', 'MB', stage => stage.resident),
    row('  start of the last until it takes commands', 'ms', stage => stage.startMs),
  ]
}

/** The goal leaves a margin above the clock's steps of 10 ms. */
function idleRow(count: number, { idleCpuMs }: Stage): Row {
  return {
    name: `${count}: processor time of all in a second, idle; ratio: of one core`,
    unit: 'ms',
    ours: idleCpuMs,
    ratio: idleCpuMs / 1000,
    goal: { on: 'ours', atMost: 10 },
  }
}
