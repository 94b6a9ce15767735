// The floors and the peer of the pipe. The input chooses one of them.
import { createServer, type Socket } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'
import { FrameCutter, frameOf } from './pipe-clients.ts'

const { kind, path, replyBytes, reply } = JSON.parse(process.argv[2] ?? '')

const text = 'x'.repeat(replyBytes)

/** Plain frames over `net`, one a connection, without JSON, schemas or commands. The input gives the length of the answers. */
function answerFrame(socket: Socket): void {
  const cutter = new FrameCutter()
  socket.on('data', (chunk: Buffer) => cutter.push(chunk, () => socket.end(frameOf(text))))
}

/**
 * Framed texts over open `net` connections, without JSON, schemas or commands. Each text begins with a number. The
 * answer has that number and the length that the input gives.
 */
function answerSession(socket: Socket): void {
  const cutter = new FrameCutter()
  socket.on('data', (chunk: Buffer) => {
    const replies: Buffer[] = []
    cutter.push(chunk, body => replies.push(frameOf(`${Number.parseInt(body.toString(), 10)} ${text}`)))
    if (replies.length > 0) socket.write(Buffer.concat(replies))
  })
}

function answerJsonRpc(socket: Socket): void {
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  socket.on('close', () => connection.dispose())
  connection.onRequest('request', () => reply)
  connection.listen()
}

const answer = { frame: answerFrame, session: answerSession, 'json-rpc': answerJsonRpc }[String(kind)]
if (answer === undefined) throw new TypeError('The input names no kind of server.')
const server = createServer({ allowHalfOpen: kind === 'frame' }, socket => {
  socket.on('error', () => socket.destroy())
  answer(socket)
})
server.listen(path, () => process.send?.(path))
process.once('disconnect', () => server.close())
