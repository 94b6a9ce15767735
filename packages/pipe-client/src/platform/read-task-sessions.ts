/**
 * Reads the numbers of login sessions out of what `tasklist /FO CSV /NH` prints about all processes.
 *
 * @param pids the processes that are asked about
 * @returns without those of which it does not tell, in whatever language
 */
export function readTaskSessions(output: string, pids: readonly number[]): ReadonlyMap<number, string> {
  const asked = new Set(pids.map(String))
  const sessions = new Map<number, string>()
  for (const line of output.split(/\r?\n/)) {
    const columns = [...line.matchAll(/"([^"]*)"/g)].map(([, text]) => text)
    const [, pid, , session] = columns
    if (pid === undefined || !asked.has(pid) || session === undefined || !/^\d+$/.test(session)) continue
    sessions.set(Number(pid), session)
  }
  return sessions
}
