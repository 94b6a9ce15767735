import { join } from 'node:path'
import { lockMachine } from './lock-machine.ts'
import { isWindowsItself, machineFolder, openWindowsMachine, type WindowsMachine } from './windows-machine.ts'
import { endProcesses } from './wine-environment.ts'

/**
 * Opens the Windows of this test run for this process and its children. Ends the processes of killed runs first, and
 * every Windows process at disposal.
 *
 * @param prepare makes further parts of the folder at the same time
 */
export async function useMachine(prepare?: (folder: string) => Promise<void>): Promise<WindowsMachine> {
  const folder = machineFolder()
  if (isWindowsItself) return await openWindowsMachine(folder)
  await using resources = new AsyncDisposableStack()
  resources.use(await lockMachine(folder))
  await endProcesses(join(folder, 'prefix'))
  const [machine] = await Promise.all([openWindowsMachine(folder), prepare?.(folder)])
  resources.use(machine)
  const kept = resources.move()
  return { ...machine, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Set-up of the tests: runs before all files. The returned function runs after them. */
export default async function setUp(): Promise<() => Promise<void>> {
  const machine = await useMachine()
  return async () => await machine[Symbol.asyncDispose]()
}
