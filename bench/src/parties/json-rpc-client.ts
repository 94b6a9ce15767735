import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'
import { type KeptConnection, replyTimeoutMs } from './raw-client.ts'

/** One request over a new connection to {@link file://./json-rpc-server.ts}. */
export async function requestJsonRpc(path: string): Promise<unknown> {
  const socket = connect(path)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  // Rejects a pending request.
  connection.onClose(() => connection.dispose())
  connection.listen()
  const reply = await connection.sendRequest('request', {})
  connection.dispose()
  socket.destroy()
  return reply
}

/** An open connection to {@link file://./json-rpc-server.ts}. */
export async function openJsonRpcSession(path: string): Promise<KeptConnection> {
  const socket = connect(path)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  // Rejects pending requests.
  connection.onClose(() => connection.dispose())
  connection.listen()
  return {
    call: () => connection.sendRequest('request', {}),
    [Symbol.dispose]() {
      connection.dispose()
      socket.destroy()
    },
  }
}
