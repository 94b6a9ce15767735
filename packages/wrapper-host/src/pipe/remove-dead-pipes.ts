import { once } from 'node:events'
import { lstat, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { isAlive, isThisUsers } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { removeLeftover } from '../files/access.ts'
import { failureReason } from '../log/failure-reason.ts'

/**
 * Removes the pipes of this user's killed wrappers, which are files on Linux and macOS. A pipe is dead if its process does not exist
 * and nobody listens: another container may have other processes in the same folder. Never rejects.
 */
export async function removeDeadPipes(
  brand: Brand,
  folder: string = unixPipeFolder(process.env),
): Promise<void> {
  if (process.platform === 'win32') return
  const beginning = pipeAddress(brand, 0, process.platform, folder).slice(0, -1)
  const names = await readdir(dirname(beginning)).catch(() => [])
  const numbered = names.filter(name => name.startsWith(basename(beginning)))
  await Promise.all(
    numbered.map(async name => {
      const file = join(dirname(beginning), name)
      const digits = file.slice(beginning.length)
      if (!/^[1-9]\d{0,9}$/.test(digits) || isAlive(Number(digits))) return
      const found = await lstat(file).catch(() => undefined)
      if (found?.isSocket() && isThisUsers(found) && (await isDeserted(file))) removeLeftover(file)
    }),
  )
}

const answerMs = 2_000

async function isDeserted(address: string): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMs) })
    return false
  } catch (error) {
    return failureReason(error) === 'ECONNREFUSED'
  } finally {
    socket.destroy()
  }
}
