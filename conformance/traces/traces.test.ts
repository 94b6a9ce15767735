import { test } from 'vitest'
import { runTraces } from './run-traces.ts'

test('real wrappers do what the model of a desktop allows', () => runTraces({ numRuns: 300 }))
