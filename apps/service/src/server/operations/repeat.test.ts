import { expect, test } from 'vitest'
import { keepLog } from '../../../test/support/log.ts'
import { repeat } from './repeat.ts'

test('work is done at once, and again after a failure, which is logged by its kind and not by its words', async () => {
  const { logger, lines } = keepLog()
  const { promise: third, resolve } = Promise.withResolvers<void>()
  let runs = 0
  await using _job = await repeat(
    async () => {
      runs++
      if (runs === 3) resolve()
      if (runs < 3) throw new TypeError('do-not-print')
    },
    { job: 'test', everyMs: 1, logger },
  )
  expect(runs).toBe(1)
  await third
  const line = { level: 50, job: 'test', error: 'TypeError', msg: 'job failed' }
  expect(lines.map(line => JSON.parse(line))).toMatchObject([line, line])
  expect(lines.join('')).not.toContain('do-not-print')
})

test('its end waits for the run that is going on, and there is no other', async () => {
  const [second, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const work = async () => {
    if (++runs === 1) return
    second.resolve()
    await go.promise
  }
  const job = await repeat(work, { job: 'test', everyMs: 1, logger: keepLog().logger })
  await second.promise
  let isEnded = false
  const ended = job[Symbol.asyncDispose]().then(() => {
    isEnded = true
  })
  await Promise.resolve()
  expect(isEnded).toBe(false)
  go.resolve()
  await ended
  expect(runs).toBe(2)
})
