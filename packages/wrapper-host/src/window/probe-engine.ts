import type { Engine, EngineProbe } from './engine.ts'
import { EngineError } from './engine-error.ts'

/**
 * Makes sure that an engine could open a window.
 *
 * @returns what it found out about itself
 * @throws {EngineError} `not-available`, with the reason and what to do
 */
export async function probeEngine(engine: Engine, signal?: AbortSignal): Promise<EngineProbe> {
  const probe = await engine.probe(signal)
  if (probe.isAvailable) return probe
  throw new EngineError('not-available', probe.reason ?? `The engine ${engine.name} is not available here.`)
}
