import { expect, test } from 'vitest'
import { exercises, workouts } from './library.ts'
import { inLanguage, norwegianTexts } from './library-texts.ts'

test('each exercise and each workout has a name of its own', () => {
  for (const records of [exercises, workouts]) {
    expect(new Set(records.map(({ slug }) => slug)).size).toBe(records.length)
    expect(new Set(records.map(({ name }) => name)).size).toBe(records.length)
  }
})

test('every line of a workout names an exercise that exists', () => {
  const slugs = new Set(exercises.map(({ slug }) => slug))
  const named = workouts.flatMap(({ lines }) => lines.map(({ exercise }) => exercise))
  expect(named.filter(slug => !slugs.has(slug))).toEqual([])
})

test('every line of a workout counts either repetitions or seconds', () => {
  const lines = workouts.flatMap(workout => workout.lines)
  expect(lines.filter(({ reps, seconds }) => (reps === undefined) === (seconds === undefined))).toEqual([])
})

test('each English text has one Norwegian text, and each muscle and piece of equipment has a word', () => {
  const norwegian = new Map(norwegianTexts)
  expect(norwegianTexts.filter(([english, text]) => norwegian.get(english) !== text)).toEqual([])
  const words = new Set(exercises.flatMap(({ muscles, equipment }) => [...muscles, equipment]))
  expect(Array.from(words).filter(word => word !== 'none' && !norwegian.has(word))).toEqual([])
  expect(norwegianTexts.filter(([, text]) => text.trim() === '')).toEqual([])
})

test('a copy of a workout that the library has changed since stays as it was given', () => {
  const copy = { name: 'Squat progression', description: 'As it was.', personName: 'Plank', exercises: [] }
  expect(inLanguage('nb', copy)).toEqual({ ...copy, name: 'Knebøy steg for steg' })
})
