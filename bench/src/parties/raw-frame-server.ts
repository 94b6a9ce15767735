// The floor of the pipe: plain frames over `net`, without JSON, schemas or commands. Each connection sends one frame and
// gets one of the length that the input gives.
import { createServer } from 'node:net'

const { path, replyBytes } = JSON.parse(process.argv[2] ?? '')
const reply = Buffer.alloc(4 + replyBytes, 'x')
reply.writeInt32LE(replyBytes)

const server = createServer({ allowHalfOpen: true }, socket => {
  let received: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    if (received.length >= 4 && received.length >= 4 + received.readInt32LE()) socket.end(reply)
  })
})
server.listen(path, () => process.send?.(path))
process.once('disconnect', () => server.close())
