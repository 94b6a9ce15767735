import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'

/** One request over a connection of its own, as {@link file://./json-rpc-server.ts} takes it. */
export async function requestJsonRpc(path: string): Promise<unknown> {
  const socket = connect(path)
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  connection.listen()
  const reply = await connection.sendRequest('request', {})
  connection.dispose()
  socket.destroy()
  return reply
}
