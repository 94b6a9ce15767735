import { once } from 'node:events'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand, encodeFrame, pipeAddress, unixPipeFolder } from '@service-link/protocol-core'
import { startTestWrapper } from '@service-link/wrapper-host/testing'
import { expect, test } from 'vitest'
import { consoleRoutes } from './console-routes.ts'
import { sendRequest } from './send-request.ts'
import { shellLines } from './shell-lines.ts'

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

test('a program that does not end in time is said', async () => {
  const request = { transport: 'arguments', command: 'queryexercises', args: { text: 'squat' } } as const
  const sent = await sendRequest(request, { launch, wrapper: { address: 'none', key } })
  expect(sent).toMatchObject({ isDone: false, text: expect.stringContaining('did not end in time') })
})

// Windows tells no owner of a pipe.
test.skipIf(process.platform === 'win32')(
  'a stranger at the name of the pipe gets no request, and no copied program leads there',
  async () => {
    const taken = pipeAddress(defaultBrand, process.pid, process.platform, unixPipeFolder(process.env))
    const heard: Socket[] = []
    const stranger = createServer(socket => void heard.push(socket))
    // Without root the stranger is a plain file: a socket of this user would count as a leftover.
    if (process.getuid?.() === 0) {
      await once(stranger.listen(taken), 'listening')
      chownSync(taken, 65_534, 65_534)
    } else writeFileSync(taken, '')
    const ending = new AbortController()
    try {
      await using wrapper = await startTestWrapper({ tap: true })
      const { applicationRoot, userFolder } = wrapper.folders
      const environment = { SERVICE_WRAPPER_ROOT: applicationRoot, SERVICE_WRAPPER_DATA: userFolder }
      const routes = consoleRoutes({ environment, launch, shell: shellLines(), ending: ending.signal })
      const post = async (path: string, request: object) => {
        const headers = { 'content-type': 'application/json' }
        return (await routes.request(path, { method: 'POST', headers, body: JSON.stringify(request) })).json()
      }
      await expect.poll(() => post('/requests', version), { timeout: 30_000 }).toMatchObject({ isDone: true })
      expect(await post('/requests', version)).toMatchObject({
        text: expect.stringMatching(/^\d+(\.\d+){3}$/),
      })
      expect(await post('/copies', version)).toMatchObject({
        Python: { problem: expect.any(String) },
        'C#': { problem: expect.any(String) },
      })
      expect(heard).toEqual([])
    } finally {
      ending.abort()
      stranger.close()
      rmSync(taken, { force: true })
    }
  },
)
