import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestService } from '../../src/test-service/index.ts'

test.concurrent.each([
  ['a header', 'GET /deliveries HTTP/1.1\r\nslow: ', ''],
  ['its claims', 'POST /tokens/valid HTTP/1.1\r\nhost: HOST\r\ncontent-length: 9000\r\n\r\n{', '408'],
  ['a body at no path', 'POST /x HTTP/1.1\r\nhost: HOST\r\ncontent-length: 9000\r\n\r\n', '404'],
  ['the body of a GET', 'GET /deliveries HTTP/1.1\r\nhost: HOST\r\ncontent-length: 9000\r\n\r\n', '200'],
])('a test service ends the connection of a client that sends %s for ever', async (_what, text, status) => {
  await using service = await startTestService()
  const { host, port } = new URL(service.audience)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  let answer = ''
  const ended = new Promise(resolve => {
    // What is written after the end is refused, or resets the connection.
    socket.on('close', resolve).on('error', resolve)
  })
  socket.on('data', part => {
    answer += part
  })
  socket.write(text.replace('HOST', host))
  using _slow = setInterval(() => socket.write('x'), 500)
  await ended
  expect(answer).toContain(status)
})
