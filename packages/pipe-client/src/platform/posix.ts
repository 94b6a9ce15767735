import { lstatSync, type Stats } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import {
  type Brand,
  loginDisplay,
  pidOfPipe,
  pipeAddress,
  unixPipeFolder,
  unixPipePrefix,
} from '@service-link/protocol-core/brand'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import type { ListedPipe, PipePlatform } from './pipe-platform.ts'

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
  tellsOwner: true,
  tellsUnread: true,
  meaningOfBreak: ({ code = '' }) => (unreadCodes.has(code) ? 'unread' : 'unknown'),

  addressOf: (brand, pid) => pipeAddress(brand, pid, process.platform, unixPipeFolder(process.env)),

  async listPipes(brand) {
    const pipes: ListedPipe[] = []
    for (const name of await listFolder(unixPipeFolder(process.env))) {
      const pid = pidOfSocket(brand, name)
      if (pid === undefined) continue
      const address = posix.addressOf(brand, pid)
      if (isOwnSocket(address)) pipes.push({ pid, address })
    }
    return pipes
  },

  identifyOwn(address) {
    const status = statusOf(address)
    if (!status) return undefined
    if (!status.isSocket()) throw new PipeDeniedError(`${address} is not a socket, and is not used.`)
    if (status.uid !== process.getuid?.())
      throw new PipeDeniedError(`${address} belongs to another user, and is not used.`)
    // The number of a file that was removed is given anew.
    return [status.dev, status.ino, status.ctimeMs].join(' ')
  },

  async loginSessionsOf(pids) {
    // On macOS a user has one session.
    const sessionOf = async (pid: number) => (process.platform === 'linux' ? displayOf(pid) : 'the only one')
    const sessions = new Map<number, string>()
    await Promise.all(
      pids.map(async pid => {
        const session = await sessionOf(pid)
        if (session !== undefined) sessions.set(pid, session)
      }),
    )
    return sessions
  },
}

/** By the rule by which a wrapper tells them apart, and from what the process was started with. An empty text is a session, too. */
async function displayOf(pid: number): Promise<string | undefined> {
  if (pid === process.pid) return loginDisplay(process.env)
  try {
    const text = await readFile(`/proc/${pid}/environ`, 'utf8')
    const variables = text.split('\0').map(entry => entry.split(/=(.*)/s, 2))
    // One that has ended and is not buried yet has none.
    return text === '' ? undefined : loginDisplay(Object.fromEntries(variables))
  } catch {
    return undefined
  }
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new PipeDeniedError(`The folder ${folder}, in which pipes lie, cannot be listed.`)
  }
}

// Synchronous on purpose: a few microseconds, where a round trip through the thread pool would cost more than the call.
function statusOf(address: string): Stats | undefined {
  try {
    return lstatSync(address, { throwIfNoEntry: false })
  } catch {
    throw new PipeDeniedError(`${address} cannot be looked at.`)
  }
}

function pidOfSocket(brand: Brand, name: string): number | undefined {
  return name.startsWith(unixPipePrefix) ? pidOfPipe(brand, name) : undefined
}

function isOwnSocket(address: string): boolean {
  try {
    return posix.identifyOwn(address) !== undefined
  } catch {
    return false
  }
}
