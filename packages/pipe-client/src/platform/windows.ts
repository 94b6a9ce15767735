import { readdir } from 'node:fs/promises'
import { pidOfPipe, pipeAddress } from '@service-link/protocol-core/brand'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import type { ListedPipe, PipePlatform } from './pipe-platform.ts'
import { readTaskSessions } from './read-task-sessions.ts'
import { runProgram } from './run-program.ts'
import { systemProgram } from './system-program.ts'

/** Where Windows lists all named pipes of the machine, of every user and session; not without the last backslash. */
const pipeFolder = '\\\\.\\pipe\\'

/** Longest wait for `tasklist.exe`, in milliseconds; it takes some hundreds. */
const taskTimeoutMs = 10_000

/**
 * A server that disconnects its client (`DisconnectNamedPipe`), as many do once they have carried a request out, or closes the pipe.
 * A write that fails by that was not read whole. One that succeeds need not have been read: a small one ends in the pipe's buffer.
 */
const endCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET'])

/** Windows: a pipe exists while its process holds it; whether this user may use it shows when it is opened, and whose it is does not. */
export const windows: PipePlatform = {
  canConnectingTakeTime: true,
  // Node cannot. By the access list that a pipe has unless its server chose another, other users may open it for reading at most,
  // which shows when the connection is made; a server that lets everybody write is found out by the proof that it has not.
  tellsOwner: false,
  tellsUnread: false,
  meaningOfBreak: ({ code = '', syscall }) => {
    if (!endCodes.has(code)) return 'unknown'
    return syscall === 'write' ? 'unread' : 'ended'
  },

  addressOf: (brand, pid) => pipeAddress(brand, pid, 'win32', ''),

  async listPipes(brand) {
    const pipes: ListedPipe[] = []
    for (const name of await listFolder()) {
      const pid = pidOfPipe(brand, name)
      if (pid !== undefined) pipes.push({ pid, address: windows.addressOf(brand, pid) })
    }
    return pipes
  },

  identifyOwn: address => address,

  async loginSessionsOf(pids, { timeoutMs, signal } = { timeoutMs: taskTimeoutMs, signal: undefined }) {
    const program = systemProgram('tasklist.exe')
    // All processes: whoever makes pipes of many names shall not make this start as many programs.
    const argv = ['/FO', 'CSV', '/NH']
    try {
      const output = await runProgram(program, argv, Math.min(timeoutMs, taskTimeoutMs), signal)
      return readTaskSessions(output, pids)
    } catch {
      return new Map()
    }
  },
}

async function listFolder(): Promise<readonly string[]> {
  try {
    return await readdir(pipeFolder)
  } catch {
    throw new PipeDeniedError('The named pipes of this machine cannot be listed. Give the process id.')
  }
}
