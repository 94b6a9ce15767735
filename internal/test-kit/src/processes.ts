import { readdir, readFile } from 'node:fs/promises'

interface ProcessFacts {
  readonly pid: number
  readonly session: number
  readonly commandLine: string
}

/** Whether the processes of a browser can be listed here. */
export const canListProcesses = process.platform === 'linux'

/** Every process of the browser with this profile folder, helpers included; zombies do not count. */
export async function browserProcesses(profileFolder: string): Promise<readonly ProcessFacts[]> {
  const all = await listProcesses()
  const sessions = new Set(
    all.filter(({ commandLine }) => commandLine.includes(profileFolder)).map(({ session }) => session),
  )
  return all.filter(({ session }) => sessions.has(session))
}

/** Every process of a session; zombies do not count. */
export async function sessionProcesses(wanted: number): Promise<readonly ProcessFacts[]> {
  return (await listProcesses()).filter(({ session }) => session === wanted)
}

/** Its main process, which started the others. */
export async function mainPid(profileFolder: string): Promise<number> {
  const main = (await listProcesses()).find(
    ({ pid, session, commandLine }) => pid === session && commandLine.includes(profileFolder),
  )
  if (!main) throw new Error('The browser does not run.')
  return main.pid
}

/** Kills its renderer processes, or sends them another signal. */
export async function killRenderers(
  profileFolder: string,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  for (const { pid, commandLine } of await browserProcesses(profileFolder)) {
    if (!commandLine.includes('--type=renderer')) continue
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A spare one may have ended meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

async function listProcesses(): Promise<ProcessFacts[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const facts = await Promise.all(pids.map(pid => readProcess(pid)))
  return facts.filter(fact => fact !== undefined)
}

async function readProcess(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // After the name in parentheses: state, parent, group, session.
    const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : { pid, session: Number(session), commandLine }
  } catch {
    return undefined
  }
}
