import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Resident memory of a process in megabytes, as `ps` tells it; `undefined` on Windows, which has no `ps`. */
export async function residentMegabytes(pid: number): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return (Number(stdout) * 1024) / 1e6
}
