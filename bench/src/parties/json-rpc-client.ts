import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'
import { replyTimeoutMs } from './reply-timeout.ts'

/** One request over a connection of its own, as {@link file://./json-rpc-server.ts} takes it. */
export async function requestJsonRpc(path: string): Promise<unknown> {
  const socket = connect(path)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  // Rejects the request if it still waits.
  connection.onClose(() => connection.dispose())
  connection.listen()
  const reply = await connection.sendRequest('request', {})
  connection.dispose()
  socket.destroy()
  return reply
}
