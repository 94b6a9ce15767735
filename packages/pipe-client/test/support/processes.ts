import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Id of no process, above the ids of operating systems. Windows soon reuses the id of an ended process. */
export function deadPid(): number {
  return 2_147_483_644
}

/**
 * Starts a process that listens at the address of `addressOf` for its process id, and stops it: only the operating system takes
 * connections, at most one more than this.
 */
export async function startFrozenListener(
  addressOf: (pid: number) => string,
): Promise<AsyncDisposable & { readonly pid: number }> {
  const script = `process.once('message', path =>
    require('node:net').createServer().listen({ path, backlog: 1 }, () => process.send('listening')))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { pid = 0 } = child
  child.send(addressOf(pid))
  await once(child, 'message')
  child.kill('SIGSTOP')
  // It takes a moment. Only Linux tells.
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await new Promise(setImmediate)
  const exited = once(child, 'exit')
  return {
    pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
