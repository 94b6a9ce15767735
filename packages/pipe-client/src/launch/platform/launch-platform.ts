/** What differs between operating systems in ending a process that was started. */
export interface LaunchPlatform {
  /**
   * Ends a process that leads a group of its own, with what it has started and that stayed with it: asks first where the
   * system can ask, then ends it by force. Takes a few seconds at most.
   *
   * @param ended resolves when the process itself has ended
   * @returns whether all of it is known to have ended
   */
  endTree(pid: number, ended: Promise<unknown>): Promise<boolean>
}
