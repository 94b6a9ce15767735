import { join } from 'node:path'
import { endProcesses } from './end-processes.ts'
import { lockMachine } from './lock-machine.ts'
import { machineFolder } from './machine-folder.ts'
import { openWindowsMachine, type WindowsMachine } from './windows-machine.ts'

/**
 * Opens the Windows of this test run for this process and its children. Ends the processes of killed runs first, and
 * every Windows process at disposal.
 *
 * @param prepare makes further parts of the folder at the same time
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
