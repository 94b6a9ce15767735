import fc from 'fast-check'
import { ModelSide } from './model-side.ts'
import { startRealSide } from './real-side.ts'
import { type Desktop, finish, signIn, steps } from './steps.ts'
import type { PageFaults } from './traced-page.ts'

interface TraceOptions {
  readonly numRuns: number
  /** Most steps of a trace. Default 14. */
  readonly maxSteps?: number
}

/** Plays random traces to the model and to real wrappers. Rejects with the shortest trace found in which they differ. */
export async function runTraces({ numRuns, maxSteps = 14 }: TraceOptions): Promise<void> {
  const traces = fc.commands([...steps], { maxCommands: maxSteps, size: '+1' })
  const property = fc.asyncProperty(fc.boolean(), traces, (isSignedInFirst, trace) =>
    playTrace(isSignedInFirst ? [signIn(), ...trace] : trace),
  )
  await fc.assert(property, { numRuns })
}

/** Plays one trace to the model and to a new real wrapper. Rejects if they differ. */
export async function playTrace(trace: Iterable<Desktop>, faults?: PageFaults): Promise<void> {
  await using real = await startRealSide(faults)
  const model = new ModelSide()
  await fc.asyncModelRun(() => ({ model, real }), trace)
  await finish(model, real)
}
