import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { keepServiceAnswers } from './service-answers.ts'

const line = { msg: 'partner link', event: 'post', requestId: '1', result: 'log-in', partnerId: 'p' }

test('the answer to a post is its own while others post too; it may be there or still to come', async () => {
  const { note, to } = keepServiceAnswers()
  const noted: boolean[] = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://service')
    await new Promise(setImmediate)
    noted.push(note({ ...line, requestId: pathname, detail: 'why' }))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const coming = to('a')
  await Promise.all(
    ['/other', '/b?launch=b', '/a?launch=a', '/c?x=a'].map(path => fetch(`http://127.0.0.1:${port}${path}`)),
  )
  expect(await coming).toEqual({ requestId: '/a', result: 'log-in', detail: 'why' })
  expect(await to('b')).toMatchObject({ requestId: '/b' })
  expect(await to('c', 0)).toBeUndefined()
  expect(noted.filter(Boolean)).toHaveLength(2)
  server.close()
})
