import { wait } from '../../connection/wait.ts'
import type { LaunchPlatform } from './launch-platform.ts'

/** Time that a process gets for ending by itself, with the browser that it has opened, in milliseconds. */
const askedMs = 3_000
/** Longest wait for the end of what was ended by force, in milliseconds. */
const forcedMs = 1_000
const pauseMs = 20

/** Linux and macOS: what a process starts is in its group, unless it is to outlive it. */
export const posixLaunch: LaunchPlatform = {
  async endTree(pid, ended) {
    const isLeft = () => trySignal(pid, 0)
    if (!trySignal(pid, 'SIGTERM')) return true
    for (const deadline = performance.now() + askedMs; performance.now() < deadline; ) {
      await wait(pauseMs, undefined)
      if (!isLeft()) return true
    }
    // It hangs, or takes too long. Nothing withstands this; an entry of what nobody asks about may be left behind.
    trySignal(pid, 'SIGKILL')
    return Promise.race([ended.then(() => true), wait(forcedMs, undefined).then(() => false)])
  },
}

/** Whether there is such a group; one that may not be signalled is there. */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
