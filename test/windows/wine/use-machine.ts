import { join } from 'node:path'
import { endProcesses } from './end-processes.ts'
import { lockMachine } from './lock-machine.ts'
import { machineFolder } from './machine-folder.ts'
import { openWindowsMachine, type WindowsMachine } from './windows-machine.ts'

/**
 * Opens the Windows of this test run for this process and those that it starts. What a run that was killed has left is ended before,
 * and every process of Windows when it is disposed of.
 *
 * @param prepare makes what else the run needs in the folder, at the same time
 */
export async function useMachine(prepare?: (folder: string) => Promise<void>): Promise<WindowsMachine> {
  const folder = machineFolder()
  await using resources = new AsyncDisposableStack()
  resources.use(await lockMachine(folder))
  await endProcesses(join(folder, 'prefix'))
  const [machine] = await Promise.all([openWindowsMachine(folder), prepare?.(folder)])
  resources.use(machine)
  const kept = resources.move()
  return { ...machine, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
