/**
 * Reads the number of a process's login session out of what `tasklist /FO CSV /NH` prints about it.
 *
 * @returns nothing when it tells of no such process, in whatever language
 */
export function readTaskSession(output: string, pid: number): string | undefined {
  for (const line of output.split(/\r?\n/)) {
    const columns = [...line.matchAll(/"([^"]*)"/g)].map(([, text]) => text)
    const [, ofPid, , session] = columns
    if (ofPid === String(pid) && session !== undefined && /^\d+$/.test(session)) return session
  }
  return undefined
}
