import { expect, test } from 'vitest'
import { ResourceOwner } from './resource-owner.ts'

test('resources are closed in reverse order, once', async () => {
  const log: string[] = []
  const owner = new ResourceOwner()
  owner.use({ [Symbol.asyncDispose]: async () => void log.push('first') })
  owner.defer(async () => void log.push('second'))
  await Promise.all([owner[Symbol.asyncDispose](), owner[Symbol.asyncDispose]()])
  expect(log).toEqual(['second', 'first'])
})

test('a failing one does not stop the others, and is reported', async () => {
  const log: string[] = []
  const owner = new ResourceOwner()
  owner.defer(async () => void log.push('ended'))
  owner.defer(() => Promise.reject(new Error('no')))
  await expect(owner[Symbol.asyncDispose]()).rejects.toBeInstanceOf(AggregateError)
  expect(log).toEqual(['ended'])
})
