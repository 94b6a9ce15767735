import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Id of no process, above the ids of operating systems. Windows soon reuses the id of an ended process. */
export function deadPid(): number {
  return 2_147_483_644
}

/** A process that listens at an address and reads nothing. */
export interface ListeningProcess extends AsyncDisposable {
  readonly pid: number
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>
  /** Stops it, so that only the operating system takes connections. Waits until it has stopped. */
  freeze(): Promise<void>
}

/** Options of such a process. */
export interface ListeningProcessOptions {
  /** Backlog of connections in the operating system. */
  readonly backlog?: number
  /** Further variables. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a process that listens at the address of `addressOf` for its process id. */
export async function startListeningProcess(
  addressOf: (pid: number) => string,
  { backlog = 511, environment = {} }: ListeningProcessOptions = {},
): Promise<ListeningProcess> {
  const script = `
    process.once('message', path => require('node:net').createServer().listen(
      { path, backlog: ${backlog} }, () => process.send('listening')))
    process.once('disconnect', () => process.exit())
  `
  const child = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const pid = pidOf(child)
  child.send(addressOf(pid))
  await once(child, 'message')
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const freeze = async () => {
    child.kill('SIGSTOP')
    while (!isStopped(pid)) await new Promise(done => setImmediate(done))
  }
  return { pid, kill, freeze, [Symbol.asyncDispose]: kill }
}

/** Tells whether the process has stopped, which takes a moment. Only Linux tells. */
function isStopped(pid: number): boolean {
  return process.platform !== 'linux' || /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The process did not start.')
  return child.pid
}
