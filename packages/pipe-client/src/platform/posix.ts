import { lstatSync, type Stats } from 'node:fs'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import type { PipePlatform } from './pipe-platform.ts'

/**
 * Closed with the request, or a part of it, unread: it is told by these codes, and by an end of the stream otherwise. So a server ends
 * that makes its pipe anew between two clients, for all that had connected in the meantime.
 */
const unreadCodes = new Set(['ECONNRESET', 'EPIPE'])

/**
 * Linux and macOS: the pipe is a Unix socket in the folder of temporary files, which other users may write to. Only a
 * socket that belongs to this user is trusted: the folder is sticky, so nobody else can put another in its place as long as it is there.
 */
export const posix: PipePlatform = {
  canConnectingTakeTime: false,
  tellsUnread: true,
  meaningOfBreak: ({ code = '' }) => (unreadCodes.has(code) ? 'unread' : 'unknown'),

  identifyOwn(address) {
    const status = statusOf(address)
    if (!status) return undefined
    if (!status.isSocket()) throw new PipeDeniedError(`${address} is not a socket, and is not used.`)
    if (status.uid !== process.getuid?.())
      throw new PipeDeniedError(`${address} belongs to another user, and is not used.`)
    // The number of a file that was removed is given anew.
    return [status.dev, status.ino, status.ctimeMs].join(' ')
  },
}

// Synchronous on purpose: a few microseconds, where a round trip through the thread pool would cost more than the call.
function statusOf(address: string): Stats | undefined {
  try {
    return lstatSync(address, { throwIfNoEntry: false })
  } catch {
    throw new PipeDeniedError(`${address} cannot be looked at.`)
  }
}
