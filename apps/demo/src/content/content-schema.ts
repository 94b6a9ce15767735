import { z } from 'zod'

/** How demanding an exercise is. */
export const levels = ['easy', 'medium', 'hard'] as const

/** One exercise of the library. */
export const exerciseContentSchema = z.object({
  /** Stable: workouts and later versions of the content refer to it. */
  slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(3),
  muscles: z.array(z.string().min(3)).min(1),
  equipment: z.string().min(3),
  level: z.enum(levels),
  /** Two or three sentences, spoken to the person who exercises. */
  instruction: z.string().min(60),
})

/** See {@link exerciseContentSchema}. */
export type ExerciseContent = z.output<typeof exerciseContentSchema>

/** One line of a workout: repetitions or seconds, in sets. */
export const workoutLineSchema = z
  .object({
    exercise: exerciseContentSchema.shape.slug,
    sets: z.int().min(1).max(10),
    reps: z.int().min(1).max(100).optional(),
    seconds: z.int().min(5).max(3600).optional(),
    restSeconds: z.int().min(0).max(300),
  })
  .refine(line => (line.reps === undefined) !== (line.seconds === undefined), {
    error: 'needs either reps or seconds',
  })

/** One workout of the library. */
export const workoutContentSchema = z.object({
  slug: exerciseContentSchema.shape.slug,
  name: z.string().min(3),
  description: z.string().min(40),
  lines: z.array(workoutLineSchema).min(3),
})

/** See {@link workoutContentSchema}. */
export type WorkoutContent = z.output<typeof workoutContentSchema>
