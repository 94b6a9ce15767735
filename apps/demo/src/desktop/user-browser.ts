import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Writes a start script for the browser that also opens the developer-tools port. The check then reads the wrapper's
 * real page. The wrapper itself opens no port.
 */
export async function makeObservable(
  executable: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<string> {
  // The engine knows a browser without windows by its name.
  const script = join(folder, `observable-${basename(executable)}`)
  await writeFile(
    script,
    `#!/bin/sh\nexec '${executable}' ${['--remote-debugging-port=0', ...flags].join(' ')} "$@"\n`,
  )
  await chmod(script, 0o700)
  return script
}

/**
 * Puts a program before `xdg-open` in the path that writes addresses to a file instead of opening them. Only on
 * Linux.
 */
export async function makeOpener(folder: string) {
  if (process.platform !== 'linux') return undefined
  const programs = join(folder, 'programs')
  const openedFile = join(folder, 'opened')
  await mkdir(programs)
  const script = join(programs, 'xdg-open')
  await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${openedFile}'\n`)
  await chmod(script, 0o700)
  /** `openedFile` has one address a line. */
  return { environment: { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` }, openedFile }
}

const run = promisify(execFile)
const listing = { maxBuffer: 16 * 1024 * 1024, timeout: 30_000 }

/** Process ids of the browser with this profile folder, including its helpers. */
export async function processesOfSession(profileFolder: string): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,args='], listing)
  const found = stdout.split('\n').filter(line => line.includes(profileFolder))
  return found.map(line => Number.parseInt(line, 10)).filter(pid => pid !== process.pid)
}

/** Process ids of the pages below a process. */
export async function renderersOf(ancestor: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,args='], listing)
  const lines = stdout.split('\n').map(line => ({ line, ids: line.trim().split(/\s+/, 2).map(Number) }))
  const family = new Set([ancestor])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const {
      ids: [pid = 0, parent = 0],
    } of lines)
      if (family.has(parent)) family.add(pid)
  }
  const renderers = lines.filter(({ line }) => line.includes('--type=renderer'))
  return renderers.map(({ ids: [pid = 0] }) => pid).filter(pid => family.has(pid))
}
