import { Socket } from 'node:net'

/**
 * Wine refuses TCP keep-alive times on a socket that is still connecting, as `fetch` sets them, and the connection fails.
 * This drops those times.
 */
export function supplyKeepAlive(): void {
  Socket.prototype.setKeepAlive = function (this: Socket) {
    return this
  }
}
