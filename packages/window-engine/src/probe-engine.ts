import type { Engine } from './engine.ts'
import { EngineError } from './engine-error.ts'

/**
 * Makes sure that an engine could open a window. Asks for no description: no browser is started for it.
 *
 * @throws {EngineError} `not-available`, with the reason and what to do
 */
export async function probeEngine(engine: Engine, signal?: AbortSignal): Promise<void> {
  const probe = await engine.probe(signal, { isDescribed: false })
  if (probe.isAvailable) return
  throw new EngineError('not-available', probe.reason ?? `The engine ${engine.name} is not available here.`)
}
