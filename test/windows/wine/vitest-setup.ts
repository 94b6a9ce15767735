import { useMachine } from './use-machine.ts'

/** Runs before all test files. The returned function runs after them. */
export default async function setUp(): Promise<() => Promise<void>> {
  const machine = await useMachine()
  return async () => await machine[Symbol.asyncDispose]()
}
