// A wrapper with faults, which `wrapper.json` names. It stands before a wrapper for tests, and spoils what passes.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { encodeFrame, FrameDecoder } from '../../packages/protocol-core/src/frame/frame.ts'
import { createMemoryWebApp, startTestWrapper } from '../../packages/wrapper-host/src/testing/index.ts'

const app = createMemoryWebApp()
let lastId = 0
const webApp = {
  ...app,
  // Each person is a new one.
  selectPerson: person => {
    lastId += 1
    return { status: 'created', userId: lastId, customId: person.customId ?? '' }
  },
  getWorkoutsForClient: () => [{ id: 1, lastChangedAt: '2020-01-01T00:00:00Z' }],
  openWorkout: () => undefined,
  setCustomId: () => undefined,
}
const wrapper = await startTestWrapper({ webApp })

/** The version as JSON, its own name for a member, and none of the codes. */
const spoil = body =>
  body
    .replace(/^\d+\.\d+\.\d+\.\d+$/, '"$&"')
    .replace('"Result"', '"result"')
    .replace(/"ERR_(JSON|METHOD)"/, '"ERR_ARGS"')

const userFolder = process.env.SERVICE_WRAPPER_DATA
const key = { ask: randomBytes(32).toString('hex'), answer: randomBytes(32).toString('hex') }
const address = join(userFolder, 'wrong.sock')
const server = createServer(socket => {
  const [asked, answered] = [
    new FrameDecoder({ maxFrameBytes: 2 ** 20 }),
    new FrameDecoder({ maxFrameBytes: 2 ** 24 }),
  ]
  let inner
  socket.on('data', chunk => {
    if (inner) return inner.write(chunk)
    const [first] = asked.push(chunk)
    if (!first) return
    socket.write(encodeFrame(JSON.stringify({ answer: key.answer })))
    inner = connect(wrapper.pipeAddress)
    inner.on('data', bytes => {
      for (const body of answered.push(bytes)) socket.write(encodeFrame(spoil(Buffer.from(body).toString())))
    })
    inner.on('end', () => socket.end())
    inner.on('error', () => socket.destroy())
  })
  socket.on('end', () => inner?.end())
  socket.on('error', () => inner?.destroy())
})
server.listen(address, () => {
  mkdirSync(join(userFolder, 'run'), { recursive: true, mode: 0o700 })
  const record = { pid: process.pid, desktop: '', version: '2.0.0.0', address, key }
  writeFileSync(join(userFolder, 'run', 'wrong.json'), JSON.stringify(record), { mode: 0o600 })
})
// Its record stays, as that of a process that was killed.
process.stdin.resume().on('end', () => process.exit(0))
await wrapper.closed
process.exit(0)
