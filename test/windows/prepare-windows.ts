import { join } from 'node:path'
import { prepareSuites } from './suites/prepare-suites.ts'
import { endProcesses } from './wine/end-processes.ts'
import { lockMachine } from './wine/lock-machine.ts'
import { machineFolder } from './wine/machine-folder.ts'
import { preparePrefix } from './wine/prepare-prefix.ts'
import { fetchWindowsNode } from './wine/windows-node.ts'

/** What was prepared, and how long it took. */
export interface Prepared {
  readonly name: string
  readonly ms: number
}

/** Prepares all that the tests on Windows need, at the same time; what is there already is kept. */
export async function prepareWindows(): Promise<readonly Prepared[]> {
  const folder = machineFolder()
  await using _lock = await lockMachine(folder)
  await endProcesses(join(folder, 'prefix'))
  return await Promise.all([
    timed('Wine’s folder', preparePrefix(join(folder, 'prefix'))),
    timed('Node for Windows', fetchWindowsNode(join(folder, 'node'))),
    timed('sources and their dependencies', prepareSuites(join(folder, 'suites'))),
  ])
}

async function timed(name: string, step: Promise<unknown>): Promise<Prepared> {
  const startedAt = performance.now()
  await step
  return { name, ms: performance.now() - startedAt }
}
