import { hasSubscribers } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { expect, test } from 'vitest'
import { keepServiceAnswers } from './service-answers.ts'

const line = { msg: 'partner link', event: 'post', requestId: '1', result: 'log-in', partnerId: 'p' }

test.each(['//', '//a:b', '/\\'])('a request for %s ends nothing', async path => {
  using answers = keepServiceAnswers()
  const noted: unknown[] = []
  const server = createServer((_request, response) => {
    noted.push(answers.note(line))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const [response] = await once(get({ port, path, agent: false }), 'response')
  response.resume()
  expect(noted).toEqual([undefined])
  server.close()
})

test('it listens to requests until it is disposed', () => {
  const isListening = () => hasSubscribers('http.server.request.start')
  const before = isListening()
  const answers = keepServiceAnswers()
  expect(isListening()).toBe(true)
  answers[Symbol.dispose]()
  expect(isListening()).toBe(before)
})

test('the answer to a post is its own while others post too; it may be there or still to come', async () => {
  using answers = keepServiceAnswers()
  const { note, to } = answers
  const noted: unknown[] = []
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
  expect(noted.filter(Boolean).toSorted()).toEqual(['a', 'b'])
  server.close()
})
