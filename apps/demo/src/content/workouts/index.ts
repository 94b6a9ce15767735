import type { WorkoutContent } from '../content-schema.ts'
import { rehabilitationWorkouts } from './rehabilitation.ts'
import { trainingWorkouts } from './training.ts'

/** The workout library. */
export const workoutContent: readonly WorkoutContent[] = [...rehabilitationWorkouts, ...trainingWorkouts]
