import { describe, expect, test } from 'vitest'
import { EventBudget } from './event-budget.ts'

const crash = { type: 'page-crashed' } as const
const closing = { type: 'closing' } as const

describe('EventBudget', () => {
  test('takes so many of a type in a minute, and says later what it has dropped', () => {
    const budget = new EventBudget(2)
    expect(budget.take(crash, 0)).toEqual([crash])
    expect(budget.take(crash, 59_999)).toEqual([crash])
    expect(budget.take(crash, 59_999)).toEqual([])
    expect(budget.take(crash, 59_999)).toEqual([])
    expect(budget.take(crash, 60_000)).toEqual([
      { type: 'events-dropped', of: 'page-crashed', count: 2 },
      crash,
    ])
    expect(budget.take(crash, 60_000)).toEqual([crash])
    expect(budget.take(crash, 60_000)).toEqual([])
  })

  test('a minute in which nothing was dropped is not told of', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    expect(budget.take(crash, 60_000)).toEqual([crash])
  })

  test('at the end says once what it has not told of yet', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    budget.take(crash, 1)
    budget.take(closing, 1)
    expect(budget.takeDropped()).toEqual([{ type: 'events-dropped', of: 'page-crashed', count: 1 }])
    expect(budget.takeDropped()).toEqual([])
    expect(budget.take(crash, 60_000)).toEqual([crash])
  })

  test('types do not count for one another', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    expect(budget.take(closing, 0)).toEqual([closing])
  })
})
