import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Id of no process: above what operating systems give. The id of one that has just exited is soon another's on Windows. */
export function deadPid(): number {
  return 2_147_483_644
}

/** A process that listens at an address and takes nothing from its connections. */
export interface ListeningProcess extends AsyncDisposable {
  readonly pid: number
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>
  /** Stops it, so that the operating system alone takes connections, and waits until it stands still. */
  freeze(): Promise<void>
}

/** What a test chooses of such a process. */
export interface ListeningProcessOptions {
  /** How many connections the operating system takes for it. */
  readonly backlog?: number
  /** Variables beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a process that listens at the address that `addressOf` gives for its process id. */
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

/** Whether the stop signal has reached the process, which takes a moment. Only Linux tells. */
function isStopped(pid: number): boolean {
  return process.platform !== 'linux' || /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('The process did not start.')
  return child.pid
}
