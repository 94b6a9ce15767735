import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Options of a process of Windows. */
export interface WindowsProcessOptions {
  /** Variables beside those of this process; one that is undefined is taken away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Working directory, as a path of the host. Default: this process's. */
  readonly cwd?: string
  /** What it reads from standard input. Default: nothing. */
  readonly input?: string
  /** When it is ended by force, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
}

/** A process of Windows. */
export interface WindowsProcess extends AsyncDisposable {
  /** Its exit code; nothing when it was ended by force. */
  readonly exited: Promise<number | null>
  /** What it has written by now. */
  stdout(): Promise<string>
  stderr(): Promise<string>
  /** Ends the process that Wine runs it in, by force. */
  kill(): void
}

/** Starts one. Its standard streams are files: what Linux makes as a pipe is none to Node for Windows under Wine. */
export async function startProcess(
  environment: NodeJS.ProcessEnv,
  program: string,
  args: readonly string[],
  { env = {}, cwd, input = '', timeoutMs = 120_000 }: WindowsProcessOptions,
): Promise<WindowsProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'windows-process-'))
  const path = (name: string) => join(folder, name)
  await writeFile(path('stdin'), input)
  await using files = new AsyncDisposableStack()
  const openFile = async (name: string, flags: string) => files.use(await open(path(name), flags)).fd
  const stdio = [await openFile('stdin', 'r'), await openFile('stdout', 'a'), await openFile('stderr', 'a')]
  const child = spawn('wine', [program, ...args], {
    env: { ...environment, ...env },
    ...(cwd ? { cwd } : {}),
    stdio,
    detached: true,
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const timer = setTimeout(kill, timeoutMs)
  const exited = once(child, 'exit').then(([code]): number | null => code)
  const ended = exited.finally(() => clearTimeout(timer))
  ended.catch(() => undefined)
  return {
    exited: ended,
    stdout: () => readFile(path('stdout'), 'utf8'),
    stderr: () => readFile(path('stderr'), 'utf8'),
    kill,
    async [Symbol.asyncDispose]() {
      kill()
      await ended.catch(() => undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
