import type { PipePlatform } from './pipe-platform.ts'

/**
 * A server that disconnects its client (`DisconnectNamedPipe`), as many do once they have carried a request out, or closes the pipe.
 * A write that fails by that was not read whole. One that succeeds need not have been read: a small one ends in the pipe's buffer.
 */
const endCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET'])

/** Windows: a pipe exists while its process holds it; whether this user may use it shows when it is opened, and whose it is does not. */
export const windows: PipePlatform = {
  canConnectingTakeTime: true,
  tellsUnread: false,
  meaningOfBreak: ({ code = '', syscall }) => {
    if (!endCodes.has(code)) return 'unknown'
    return syscall === 'write' ? 'unread' : 'ended'
  },

  identifyOwn: address => address,
}
