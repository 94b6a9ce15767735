import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longest wait for another run, in milliseconds. */
const waitMs = 1_200_000

/**
 * Locks a Windows for this process, and waits for another holder. The lock is a socket of the kernel without a file, so
 * the end of a process frees it.
 *
 * @param folder absolute path
 * @throws Error when another run holds it for twenty minutes
 */
export async function lockMachine(folder: string): Promise<AsyncDisposable> {
  const path = `\0service-link-windows-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
  const until = performance.now() + waitMs
  for (let attempt = 0; ; attempt++) {
    const server = createServer()
    try {
      await once(server.listen({ path }), 'listening')
      server.unref()
      return { [Symbol.asyncDispose]: async () => void server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
    if (performance.now() > until) throw new Error(`Another run has used ${folder} for twenty minutes.`)
    if (attempt === 0) console.error(`Another run uses ${folder}; waiting for its end …`)
    await sleep(500)
  }
}
