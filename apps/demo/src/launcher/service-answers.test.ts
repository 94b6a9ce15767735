import { expect, test } from 'vitest'
import { keepServiceAnswers } from './service-answers.ts'

const line = { msg: 'partner link', event: 'post', requestId: '1', result: 'log-in', partnerId: 'p' }

test('the answer to a post is the next one, which may be there or still to come', async () => {
  const { note, after, count } = keepServiceAnswers()
  for (const other of [{ msg: 'request' }, { ...line, event: 'log-in' }, 'text']) note(other)
  expect([count(), await after(0, 0)]).toEqual([0, undefined])
  const coming = after(0)
  note(line)
  expect(await coming).toEqual({ requestId: '1', result: 'log-in' })
  note({ ...line, requestId: '2', result: 'ERR_PAYLOAD_TIMES', detail: 'exp is missing' })
  const refused = { requestId: '2', result: 'ERR_PAYLOAD_TIMES', detail: 'exp is missing' }
  expect([count(), await after(1)]).toEqual([2, refused])
})

test('the last hundred are kept', async () => {
  const { note, after } = keepServiceAnswers()
  for (let number = 1; number <= 150; number++) note({ ...line, requestId: String(number) })
  expect(await after(149)).toMatchObject({ requestId: '150' })
  expect(await after(49)).toBeUndefined()
})
