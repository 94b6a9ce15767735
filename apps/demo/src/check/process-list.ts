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
