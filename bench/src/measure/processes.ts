import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { defaultBrand } from '@service-link/protocol-core'

/** Resident memory of a process in megabytes, from Linux's `/proc`. */
export async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return (Number(/^Rss: +(\d+)/m.exec(text)?.[1]) * 1024) / 1e6
}

/** Processor time that a process has used, in milliseconds, from Linux's `/proc`: in steps of 10. */
export async function processorMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(user) + Number(system)) * 10
}

const timeoutMs = 30_000

export async function startToExit(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  program: string = process.execPath,
): Promise<number> {
  const begun = performance.now()
  const child = spawn(program, argv, {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: timeoutMs,
  })
  const [code] = await once(child, 'exit')
  const tookMs = performance.now() - begun
  if (code !== 0) throw new Error(`${basename(program)} ${argv.join(' ')} ended with ${code}.`)
  return tookMs
}

interface Program extends AsyncDisposable {
  readonly pid: number
  /** What it writes to standard error. */
  readonly lines: AsyncIterable<string>
}

/** Starts a program of Node, which ends with the measurement. */
export function startProgram(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    lines: createInterface({ input: child.stderr, signal: AbortSignal.timeout(timeoutMs) }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await exited
      clearTimeout(killer)
    },
  }
}

export const executable = fileURLToPath(
  new URL('../../../packages/wrapper-host/dist/cli/service-webwrapper.cjs', import.meta.url),
)

/**
 * Makes folders for this run's wrapper and returns them as environment variables. The pipe has its usual place; all
 * other files are in the given folder.
 */
export async function wrapperFolders(folder: string) {
  const root = join(folder, 'root')
  await mkdir(root, { recursive: true })
  return {
    SERVICE_WRAPPER_ROOT: root,
    SERVICE_WRAPPER_DATA: join(folder, defaultBrand.vendor, defaultBrand.application),
    // The native launcher has its wrapper where the system keeps data.
    XDG_DATA_HOME: folder,
    XDG_RUNTIME_DIR: folder,
  }
}
