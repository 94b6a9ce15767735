import { expect, test } from 'vitest'
import { exerciseContentSchema, workoutContentSchema } from './content-schema.ts'
import { exerciseContent } from './exercises/index.ts'
import { workoutContent } from './workouts/index.ts'

const slugs = new Set(exerciseContent.map(({ slug }) => slug))

test('every exercise and workout is whole, and each has a name of its own', () => {
  for (const exercise of exerciseContent) expect(() => exerciseContentSchema.parse(exercise)).not.toThrow()
  for (const workout of workoutContent) expect(() => workoutContentSchema.parse(workout)).not.toThrow()
  for (const content of [exerciseContent, workoutContent]) {
    expect(new Set(content.map(({ slug }) => slug)).size).toBe(content.length)
    expect(new Set(content.map(({ name }) => name)).size).toBe(content.length)
  }
})

test('there are enough to search in: a hundred exercises, twenty workouts, several squats', () => {
  expect(exerciseContent.length).toBeGreaterThanOrEqual(100)
  expect(workoutContent.length).toBeGreaterThanOrEqual(20)
  expect(exerciseContent.filter(({ name }) => /squat/i.test(name)).length).toBeGreaterThanOrEqual(8)
})

test('every line of a workout names an exercise that exists', () => {
  const missing = workoutContent.flatMap(({ slug, lines }) =>
    lines.filter(({ exercise }) => !slugs.has(exercise)).map(({ exercise }) => `${slug}: ${exercise}`),
  )
  expect(missing).toEqual([])
})
