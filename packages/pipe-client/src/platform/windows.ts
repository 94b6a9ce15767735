import { readdir } from 'node:fs/promises'
import { pidOfPipe, pipeAddress } from '@service-link/protocol-core/brand'
import type { ListedPipe, PipePlatform } from './pipe-platform.ts'

/** The folder in which Windows lists all named pipes of the machine, of every user and session. */
const pipeFolder = '\\\\.\\pipe\\'

/** Windows: a pipe exists while its process holds it; whose it is shows when it is opened. */
export const windows: PipePlatform = {
  canConnectingTakeTime: true,

  addressOf: (brand, pid) => pipeAddress(brand, pid, 'win32', ''),

  async listPipes(brand) {
    const pipes: ListedPipe[] = []
    for (const name of await readdir(pipeFolder)) {
      const pid = pidOfPipe(brand, name)
      if (pid !== undefined) pipes.push({ pid, address: windows.addressOf(brand, pid) })
    }
    return pipes
  },

  // What another user serves can be opened for reading at most, which shows when the connection is made.
  assertOwn: () => {},
}
