/** Ends a process that leads its own group, and the whole group, at once. Does nothing when they are gone. */
export function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // There is no such group any more: what was to be reached.
  }
}
