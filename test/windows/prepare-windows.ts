import { join } from 'node:path'
import { prepareSuites } from './suites/prepare-suites.ts'
import { lockMachine } from './wine/lock-machine.ts'
import { preparePrefix } from './wine/prepare-prefix.ts'
import { machineFolder, programsFolder } from './wine/windows-machine.ts'
import { fetchWindowsNode } from './wine/windows-node.ts'
import { endProcesses } from './wine/wine-environment.ts'

/** The prepared parts and their times. */
export interface Prepared {
  readonly name: string
  readonly ms: number
}

/** Prepares everything for the tests on Windows concurrently; keeps existing parts. */
export async function prepareWindows(): Promise<readonly Prepared[]> {
  const folders = [machineFolder(), programsFolder()]
  const suites = join(machineFolder(), 'suites')
  await using locks = new AsyncDisposableStack()
  for (const folder of folders) locks.use(await lockMachine(folder))
  for (const folder of folders) await endProcesses(join(folder, 'prefix'))
  return await Promise.all([
    timed('Wine’s folders', Promise.all(folders.map(folder => preparePrefix(join(folder, 'prefix'))))),
    timed('Node for Windows', fetchNodes(folders)),
    timed('sources and their dependencies', prepareSuites(suites)),
  ])
}

/** In sequence, so that the second finds the first. */
async function fetchNodes(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await fetchWindowsNode(join(folder, 'node'))
}

async function timed(name: string, step: Promise<unknown>): Promise<Prepared> {
  const startedAt = performance.now()
  await step
  return { name, ms: performance.now() - startedAt }
}
