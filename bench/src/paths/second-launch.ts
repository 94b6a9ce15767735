import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
// @boundaries-ignore: the packer has no API
import { brandLauncher } from '../../../packages/wrapper-pack/src/executable/launcher.ts'
import { measureCallsInTurns, median } from '../measure/calls.ts'
import { executable, startToExit, wrapperFolders } from '../measure/processes.ts'
import { startParty } from '../parties/start-party.ts'
import type { MeasuredPath, Row } from '../report.ts'

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
        ours: () => startToExit([executable], env),
      },
      { rounds: 40, warmUp: 2 },
    )
    return {
      rows: [
        {
          name: 'service-webwrapper',
          unit: 'ms',
          beside: { of: 'node -e 0', value: median(samples.node) / 1000 },
          ours: median(samples.ours) / 1000,
          goal: { on: 'ratio', atMost: 1.35 },
        },
        ...(await measureLauncher(folder.path, env)),
      ],
    }
  },
}

/** The native launcher; no line on other systems, and without its compiler. */
async function measureLauncher(folder: string, env: NodeJS.ProcessEnv): Promise<readonly Row[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const built = await readFile(builtLauncher).catch(() => undefined)
  if (!built) return []
  const launcher = join(folder, 'launcher')
  await writeFile(launcher, brandLauncher(built, defaultBrand), { mode: 0o755 })
  const samples = await measureCallsInTurns(
    { end: () => startToExit([], env, '/bin/true'), ours: () => startToExit([], env, launcher) },
    { rounds: 40, warmUp: 2 },
  )
  const beside = { of: '/bin/true', value: median(samples.end) / 1000 }
  const goal = { on: 'ratio', atMost: 1.5 } as const
  return [{ name: 'native launcher', unit: 'ms', beside, ours: median(samples.ours) / 1000, goal }]
}

const builtLauncher = new URL('../../../packages/wrapper-pack/dist/launcher/linux-x64', import.meta.url)
