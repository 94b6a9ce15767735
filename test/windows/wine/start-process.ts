import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Options of a Windows process. */
export interface WindowsProcessOptions {
  /** Variables added to this process's; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Working directory, as a path of the host. Default: this process's. */
  readonly cwd?: string
  /** Content of standard input. Default: empty. */
  readonly input?: string
  /** Time until it is killed, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number
  /** Whether the arguments are parts of the command line as they are. Only on Windows itself. */
  readonly isVerbatim?: boolean
}

/** A Windows process. */
export interface WindowsProcess extends AsyncDisposable {
  /** Its exit code; `undefined` when it was killed. */
  readonly exited: Promise<number | null>
  /** Its output so far. */
  stdout(): Promise<string>
  stderr(): Promise<string>
  /** Kills it, and all that it has started. */
  kill(): void
}

const isWindows = process.platform === 'win32'

/**
 * Starts Wine with its memory at fixed addresses, and so all that it starts. On newer kernels the heap of one process in some
 * thousand lies where Wine maps what all processes share, and that process fails. Some containers forbid it.
 */
const wine = () =>
  spawnSync('setarch', ['--addr-no-randomize', 'true']).status === 0
    ? ['setarch', '--addr-no-randomize', 'wine']
    : ['wine']
const starter = isWindows ? [] : wine()

/** Ends a process, and all that it has started. */
function endTree({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    if (isWindows) spawnSync('taskkill.exe', ['/T', '/F', '/PID', String(pid)])
    else process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}

/** Starts a process. Its standard streams are files, because Node for Windows under Wine cannot use Linux pipes. */
export async function startProcess(
  environment: NodeJS.ProcessEnv,
  program: string,
  args: readonly string[],
  { env = {}, cwd, input = '', timeoutMs = 120_000, isVerbatim = false }: WindowsProcessOptions,
): Promise<WindowsProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'windows-process-'))
  const path = (name: string) => join(folder, name)
  await writeFile(path('stdin'), input)
  await using files = new AsyncDisposableStack()
  const openFile = async (name: string, flags: string) => files.use(await open(path(name), flags)).fd
  const stdio = [await openFile('stdin', 'r'), await openFile('stdout', 'a'), await openFile('stderr', 'a')]
  const [command = '', ...words] = [...starter, program, ...args]
  const child = spawn(command, words, {
    env: { ...environment, ...env },
    ...(cwd ? { cwd } : {}),
    stdio,
    detached: !isWindows,
    windowsVerbatimArguments: isVerbatim,
  })
  const kill = () => {
    // Another may have its number by now.
    if (child.exitCode === null && child.signalCode === null) endTree(child)
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
      // Windows keeps files that somebody has open, such as a program that this one has left behind.
      const removed = rm(folder, { recursive: true, force: true, maxRetries: 5 })
      await (isWindows ? removed.catch(() => undefined) : removed)
    },
  }
}
