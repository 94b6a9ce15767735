import { EngineError } from '../engine-error.ts'
import { DevToolsCallError } from './devtools-connection.ts'

/**
 * Waits for what the browser was asked.
 *
 * @throws {EngineError} `refused` for a {@link DevToolsCallError}, which stays within the engine; the browser's own words may
 *   hold an address and are not repeated
 * @throws whatever else the promise rejects with
 */
export async function asEngineError<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof DevToolsCallError)) throw error
    throw new EngineError(
      'refused',
      'The browser refused what the window was asked. Reload the page, or try again.',
    )
  }
}
