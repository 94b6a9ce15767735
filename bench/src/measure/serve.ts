import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port of this machine. */
export async function serve(
  listener: RequestListener,
  host = '127.0.0.1',
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(listener).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
