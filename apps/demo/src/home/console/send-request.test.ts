import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFrame } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { sendRequest } from './send-request.ts'

const launch = async () => {
  throw new Error('too late')
}

const version = { transport: 'classic', command: 'version', args: {} } as const
const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }

/** Listens at a new private address. */
async function listen(onSocket: (socket: Socket) => void): Promise<{ server: Server; address: string }> {
  const name = `console-${crypto.randomUUID()}`
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
  const server = createServer(onSocket).listen(address)
  await once(server, 'listening')
  return { server, address }
}

test.each([
  ['that is no frame is said, and does not end the demo', key.answer, 'The reply is no frame.'],
  ['of a program that cannot prove itself is not waited for', 'c'.repeat(64), 'It is not the wrapper'],
])('a reply %s', async (_title, answer, text) => {
  const { server, address } = await listen(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(encodeFrame(JSON.stringify({ answer })))
      socket.once('data', () => socket.end(Buffer.alloc(4, 0xff)))
    })
  })
  const sent = await sendRequest(version, { launch, wrapper: { address, key } }).finally(() => server.close())
  expect(sent).toMatchObject({ isDone: false, text: expect.stringContaining(text) })
})

test('a value that a launch would leave out is said, and nothing is sent', async () => {
  const args = { customid: '1', firstname: 'Å', lastname: 'L', dateofbirth: '31.02.1980' }
  const request = { transport: 'xml', command: 'selectperson', args } as const
  const sent = await sendRequest(request, { launch, wrapper: { address: 'none', key } })
  expect(sent).toMatchObject({ sent: '', text: 'dateofbirth must be a day that exists.' })
})

test('a program that does not end in time is said', async () => {
  const request = { transport: 'arguments', command: 'queryexercises', args: { text: 'squat' } } as const
  const sent = await sendRequest(request, { launch, wrapper: { address: 'none', key } })
  expect(sent).toMatchObject({ isDone: false, text: expect.stringContaining('did not end in time') })
})
