import { Socket } from 'node:net'

/**
 * Supplies what Wine lacks: it refuses the times of TCP's keep-alive, by which no connection comes about that was asked for them
 * while it is made, such as those of `fetch`. So nothing is asked for.
 */
export function supplyKeepAlive(): void {
  Socket.prototype.setKeepAlive = function (this: Socket) {
    return this
  }
}
