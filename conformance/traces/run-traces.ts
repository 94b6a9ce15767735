import fc from 'fast-check'
import { ModelSide } from './model-side.ts'
import { startRealSide } from './real-side.ts'
import { finish, steps } from './steps.ts'
import type { PageFaults } from './traced-page.ts'

export interface TraceOptions {
  readonly numRuns: number
  readonly seed?: number | undefined
  /** Most steps of a trace. Default 14. */
  readonly maxSteps?: number
  readonly faults?: PageFaults
  /** Whether the first trace that fails is enough. Default false: a shorter one is looked for. */
  readonly isFirstEnough?: boolean
}

/** Plays traces to the model and to real wrappers. Rejects with the shortest trace found in which they differ. */
export async function runTraces({
  numRuns,
  seed,
  maxSteps = 14,
  faults,
  isFirstEnough = false,
}: TraceOptions): Promise<void> {
  const property = fc.asyncProperty(
    fc.commands([...steps], { maxCommands: maxSteps, size: '+1' }),
    async trace => {
      await using real = await startRealSide(faults)
      const model = new ModelSide()
      await fc.asyncModelRun(() => ({ model, real }), trace)
      await finish(model, real)
    },
  )
  await fc.assert(property, { numRuns, endOnFailure: isFirstEnough, ...(seed === undefined ? {} : { seed }) })
}
