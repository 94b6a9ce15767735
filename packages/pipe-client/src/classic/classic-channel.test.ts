import { expect, test } from 'vitest'
import { Slots } from './classic-channel.ts'

test('calls above the number wait and proceed in order', async () => {
  const slots = new Slots(2)
  const entered: number[] = []
  const entering = [0, 1, 2, 3].map(id => slots.take().then(() => entered.push(id)))
  await Promise.all(entering.slice(0, 2))
  expect(entered).toEqual([0, 1])
  slots.release()
  await entering[2]
  expect(entered).toEqual([0, 1, 2])
  slots.release()
  await entering[3]
  expect(entered).toEqual([0, 1, 2, 3])
})

test('a call that gives up at its turn lets the next one in', async () => {
  const slots = new Slots(1)
  await slots.take()
  const controller = new AbortController()
  const reason = new Error('Never mind.')
  const givingUp = slots.take(controller.signal)
  const next = slots.take()
  slots.release()
  controller.abort(reason)
  await expect(givingUp).rejects.toBe(reason)
  await next
})

test('a call that gives up before its turn takes none', async () => {
  const slots = new Slots(1)
  await slots.take()
  await expect(slots.take(AbortSignal.timeout(5))).rejects.toMatchObject({ name: 'TimeoutError' })
  slots.release()
  await slots.take()
})
