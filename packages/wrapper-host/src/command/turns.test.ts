import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const [a, b, c] = [{}, {}, {}]

/** Takes all that waits, in order. */
function takeAll(turns: Turns<string>): readonly string[] {
  const taken: string[] = []
  for (let piece = turns.take(); piece; piece = turns.take()) taken.push(piece)
  return taken
}

/** Turns with pieces `a1`, `b1` and so on, of the client that their first letter names. */
function turnsOf(...pieces: readonly string[]): Turns<string> {
  const turns = new Turns<string>()
  for (const piece of pieces) turns.add(piece, { client: { a, b, c }[piece[0] ?? ''] ?? {} })
  return turns
}

test('clients take turns, and the pieces of each keep their order', () => {
  expect(takeAll(turnsOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(takeAll(turnsOf())).toEqual([])
})

test('who comes while another has its turn is next, however much that one has waiting', () => {
  const turns = turnsOf('a1', 'a2', 'a3')
  expect(turns.take()).toBe('a1')
  turns.add('b1', { client: b })
  turns.add('a4', { client: a })
  expect(takeAll(turns)).toEqual(['b1', 'a2', 'a3', 'a4'])
})

test('a client that always has one piece more is not before one that waits', () => {
  const turns = turnsOf('a1', 'b1', 'b2')
  expect(turns.take()).toBe('a1')
  turns.add('a2', { client: a })
  expect(turns.take()).toBe('b1')
  turns.add('a3', { client: a })
  expect(takeAll(turns)).toEqual(['a2', 'b2', 'a3'])
})

test('what is to be alone is overtaken by nothing, and overtakes nothing', () => {
  const turns = turnsOf('a1', 'a2')
  turns.add('alone', { client: b, isAlone: true })
  for (const piece of ['a3', 'a4']) turns.add(piece, { client: a })
  turns.add('b1', { client: b })
  expect(takeAll(turns)).toEqual(['a1', 'a2', 'alone', 'a3', 'b1', 'a4'])
})

test('what is removed is not taken, and keeps nothing back', () => {
  const turns = turnsOf('a1')
  const removals = [
    turns.add('a2', { client: a }),
    turns.add('alone', { client: b, isAlone: true }),
    turns.add('b1', { client: b }),
  ]
  turns.add('b2', { client: b })
  for (const remove of removals) remove()
  expect(takeAll(turns)).toEqual(['a1', 'b2'])
  for (const remove of removals) remove()
  turns.add('c1', { client: c })
  expect(takeAll(turns)).toEqual(['c1'])
})
