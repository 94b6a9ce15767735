import type { ExerciseContent } from '../content-schema.ts'
import { balanceCardioExercises } from './balance-cardio.ts'
import { hipExercises } from './hips.ts'
import { legExercises } from './legs.ts'
import { mobilityExercises } from './mobility.ts'
import { shoulderNeckExercises } from './shoulder-neck.ts'
import { squatExercises } from './squats.ts'
import { trunkExercises } from './trunk.ts'
import { upperBodyExercises } from './upper-body.ts'

/** The exercise library. */
export const exerciseContent: readonly ExerciseContent[] = [
  ...squatExercises,
  ...legExercises,
  ...hipExercises,
  ...trunkExercises,
  ...upperBodyExercises,
  ...shoulderNeckExercises,
  ...mobilityExercises,
  ...balanceCardioExercises,
]
