import { test } from 'vitest'
import { runTraces } from './run-traces.ts'

test('real wrappers do what the model of a desktop allows, in long traces', { timeout: 900_000 }, () =>
  runTraces({ numRuns: 4000, maxSteps: 24 }),
)
