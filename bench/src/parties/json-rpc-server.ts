// The peer of the pipe: one request a connection with vscode-jsonrpc.
import { createServer } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'

const { path, reply } = JSON.parse(process.argv[2] ?? '')
const server = createServer(socket => {
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => connection.dispose())
  connection.onRequest('request', () => reply)
  connection.listen()
})
server.listen(path, () => process.send?.(path))
process.once('disconnect', () => server.close())
