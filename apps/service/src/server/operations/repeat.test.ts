import { expect, test } from 'vitest'
import { keepLog } from '../../../test/support/log.ts'
import { repeat } from './repeat.ts'

test('work is done again after a failure, which is logged by its kind and not by its words', async () => {
  const { logger, lines } = keepLog()
  const { promise: third, resolve } = Promise.withResolvers<void>()
  let runs = 0
  await using _job = repeat(
    async () => {
      runs++
      if (runs === 3) resolve()
      if (runs < 3) throw new TypeError('do-not-print')
    },
    { job: 'test', everyMs: 1, logger },
  )
  await third
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 50, job: 'test', error: 'TypeError', msg: 'job failed' },
    { level: 50, job: 'test', error: 'TypeError', msg: 'job failed' },
  ])
  expect(lines.join('')).not.toContain('do-not-print')
})

test('its end waits for the run that is going on, which others have joined', async () => {
  const { logger } = keepLog()
  const go = Promise.withResolvers<void>()
  let runs = 0
  const job = repeat(
    async () => {
      runs++
      await go.promise
    },
    { job: 'test', everyMs: 60_000, logger },
  )
  const joined = [job.runNow(), job.runNow()]
  let isEnded = false
  const ended = job[Symbol.asyncDispose]().then(() => {
    isEnded = true
  })
  await Promise.resolve()
  expect(isEnded).toBe(false)
  go.resolve()
  await Promise.all([...joined, ended])
  expect(runs).toBe(1)
})
