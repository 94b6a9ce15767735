// The floor of the session mode: framed texts over open `net` connections, without JSON, schemas or commands. Each text
// begins with a number. The answer has that number and the length that the input gives.
import { createServer } from 'node:net'
import { FrameCutter, frameWithNumber } from './raw-client.ts'

const { path, replyBytes } = JSON.parse(process.argv[2] ?? '')
const reply = 'x'.repeat(replyBytes)

const server = createServer(socket => {
  const cutter = new FrameCutter()
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    const replies: Buffer[] = []
    cutter.push(chunk, text => replies.push(frameWithNumber(Number.parseInt(text, 10), reply)))
    if (replies.length > 0) socket.write(Buffer.concat(replies))
  })
})
server.listen(path, () => process.send?.(path))
process.once('disconnect', () => server.close())
