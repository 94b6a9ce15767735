import { rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { type Brand, defineBrand, pipeAddress } from '@service-link/protocol-core/brand'

let count = 0

/** A brand without another pipe on this machine. */
export function uniqueBrand(): Brand {
  const name = `test${process.pid}-${count++}`
  return defineBrand({ pipePrefix: name, vendor: name })
}

/** Address of a process's pipe of this brand. */
export function addressOf(brand: Brand, pid = process.pid): string {
  return pipeAddress(brand, pid, process.platform, tmpdir())
}

/** Starts listening. */
export function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve())
  })
}

/** Stops listening, and removes a leftover socket file. */
export function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => {
      const address = server.address()
      if (typeof address === 'string' && process.platform !== 'win32') rmSync(address, { force: true })
      resolve()
    })
  })
}
