import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'
import type { KeptConnection } from './kept-connection.ts'
import { replyTimeoutMs } from './reply-timeout.ts'

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
