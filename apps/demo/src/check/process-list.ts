import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Process ids of the browser that uses this profile folder, helpers included. */
export async function processesOfSession(profileFolder: string): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024, timeout: 30_000 })
  return stdout
    .split('\n')
    .filter(line => line.includes(profileFolder))
    .map(line => Number.parseInt(line, 10))
    .filter(pid => pid !== process.pid)
}

/** Process ids of the pages that a process's browser draws. */
export async function renderersOf(ancestor: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 30_000,
  })
  const processes = stdout.split('\n').map(line => {
    const [pid, parent] = line.trim().split(/\s+/, 2).map(Number)
    return { pid: pid ?? 0, parent: parent ?? 0, isRenderer: line.includes('--type=renderer') }
  })
  const descendants = new Set([ancestor])
  for (let size = 0; size !== descendants.size; ) {
    size = descendants.size
    for (const { pid, parent } of processes) if (descendants.has(parent)) descendants.add(pid)
  }
  return processes.filter(({ pid, isRenderer }) => isRenderer && descendants.has(pid)).map(({ pid }) => pid)
}
