import type { WorkoutContent } from '../content-schema.ts'

/** One line of a workout. */
type Line = WorkoutContent['lines'][number]

/** A line counted in repetitions. */
export function reps(exercise: string, sets: number, count: number, restSeconds = 60): Line {
  return { exercise, sets, reps: count, restSeconds }
}

/** A line that is held, or done for a time. */
export function hold(exercise: string, sets: number, seconds: number, restSeconds = 30): Line {
  return { exercise, sets, seconds, restSeconds }
}
