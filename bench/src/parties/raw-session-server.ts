// The floor of the pipe's session mode: frames over `net` on connections that stay open, without JSON, schemas or commands.
// Each frame begins with a number of four bytes, and is answered by one of the length that the input says, with that number.
import { createServer } from 'node:net'
import { FrameCutter, frameWithNumber } from './raw-session-frame.ts'

const { path, replyBytes } = JSON.parse(process.argv[2] ?? '')

const server = createServer(socket => {
  const cutter = new FrameCutter()
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    const replies: Buffer[] = []
    cutter.push(chunk, (body, at) => replies.push(frameWithNumber(body.readInt32LE(at), replyBytes)))
    if (replies.length > 0)
      socket.write(replies.length === 1 && replies[0] ? replies[0] : Buffer.concat(replies))
  })
})
server.listen(path, () => process.send?.(path))
process.once('disconnect', () => server.close())
