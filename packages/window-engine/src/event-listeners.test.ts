import { expect, test, vi } from 'vitest'
import { EventListeners } from './event-listeners.ts'

test('a throwing listener does not stop the others, and its error is not lost', () => {
  const listeners = new EventListeners<{ told: number }>()
  const heard: number[] = []
  const thrown = new Error('of a listener')
  const turns: (() => void)[] = []
  const queued = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(turn => void turns.push(turn))
  listeners.on('told', () => {
    throw thrown
  })
  listeners.on('told', value => void heard.push(value))
  listeners.emit('told', 1)
  queued.mockRestore()
  expect(heard).toEqual([1])
  expect(turns).toHaveLength(1)
  expect(turns[0]).toThrow(thrown)
})
