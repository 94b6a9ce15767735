import { readdir } from 'node:fs/promises'
import { pidOfPipe, pipeAddress } from '@service-link/protocol-core/brand'
import { PipeDeniedError } from '../errors/pipe-error.ts'
import type { ListedPipe, PipePlatform } from './pipe-platform.ts'

/** Where Windows lists all named pipes of the machine, of every user and session; not without the last backslash. */
const pipeFolder = '\\\\.\\pipe\\'

/** Windows: a pipe exists while its process holds it; whose it is shows when it is opened. */
export const windows: PipePlatform = {
  canConnectingTakeTime: true,

  addressOf: (brand, pid) => pipeAddress(brand, pid, 'win32', ''),

  async listPipes(brand) {
    const pipes: ListedPipe[] = []
    for (const name of await listFolder()) {
      const pid = pidOfPipe(brand, name)
      if (pid !== undefined) pipes.push({ pid, address: windows.addressOf(brand, pid) })
    }
    return pipes
  },

  // What another user serves can be opened for reading at most, which shows when the connection is made.
  assertOwn: () => {},
}

async function listFolder(): Promise<readonly string[]> {
  try {
    return await readdir(pipeFolder)
  } catch {
    throw new PipeDeniedError('The named pipes of this machine cannot be listed. Give the process id.')
  }
}
