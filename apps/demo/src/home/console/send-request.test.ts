import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { sendRequest } from './send-request.ts'

const launch = async () => {
  throw new Error('too late')
}

test('a reply that is no frame is said, and does not end the demo', async () => {
  const server = createServer(socket => void socket.end(Buffer.alloc(4, 0xff))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = { transport: 'classic', command: 'version', args: {} } as const
  // `connect` takes a port in place of a path.
  const sent = await sendRequest(request, { launch, pipeAddress: String(port) }).finally(() => server.close())
  expect(sent).toMatchObject({ isDone: false, text: 'The reply is no frame.' })
})

test('a program that does not end in time is said', async () => {
  const request = { transport: 'arguments', command: 'queryexercises', args: { text: 'squat' } } as const
  const sent = await sendRequest(request, { launch, pipeAddress: 'none' })
  expect(sent).toMatchObject({ isDone: false, text: expect.stringContaining('did not end in time') })
})
