import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'
import { type KeptConnection, replyTimeoutMs } from './raw-client.ts'

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

/** A connection that stays open, as {@link file://./json-rpc-server.ts} takes it, too. */
export async function openJsonRpcSession(path: string): Promise<KeptConnection> {
  const socket = connect(path)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  // Rejects the requests that still wait.
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
