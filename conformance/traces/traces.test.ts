import { test } from 'vitest'
import { runTraces } from './run-traces.ts'

test('real wrappers do what the model of a desktop allows', { timeout: 600_000 }, () =>
  runTraces({ numRuns: Number(process.env.TR ?? 300), seed: Number(process.env.SEED ?? 1) }),
)
