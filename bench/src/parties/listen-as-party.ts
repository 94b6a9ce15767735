import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port, tells it to the process that started this one, and ends with it. */
export function listenAsParty(listener: RequestListener): void {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.once('disconnect', () => {
    server.close()
    server.closeAllConnections()
  })
}
