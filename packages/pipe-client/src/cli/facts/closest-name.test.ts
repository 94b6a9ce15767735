import { expect, test } from 'vitest'
import { closestName } from './closest-name.ts'

const names = ['list', 'watch', 'show', 'selectperson', 'getlistofusers', 'queryexercises', 'queryworkouts']

test.each([
  ['selectpersn', 'selectperson'],
  ['SelectPreson', 'selectperson'],
  ['lsit', 'list'],
  ['lists', 'list'],
  ['getlist', 'getlistofusers'],
  ['queryworkout', 'queryworkouts'],
  ['wach', 'watch'],
  ['hsow', 'show'],
])('%s was probably %s', (word, name) => {
  expect(closestName(word, names)).toBe(name)
})

test.each(['', 'a', 'query', 'Nordmann', 'kari', 'x'.repeat(100_000)])('%s could be anything', word => {
  expect(closestName(word, names)).toBeUndefined()
})

test('what one name begins with counts for more than letters, and two names alike for nothing', () => {
  expect(closestName('persons', ['personselected', 'person'])).toBe('personselected')
  expect(closestName('test', ['text', 'rest'])).toBeUndefined()
})
