import { systemProgram } from '@service-link/protocol-core/brand'
import { wait } from '../../connection/wait.ts'
import { runProgram } from '../../platform/run-program.ts'
import type { LaunchPlatform } from './launch-platform.ts'

/** Longest wait for `taskkill.exe`, and then for the end of the process, in milliseconds. */
const taskTimeoutMs = 10_000
const endTimeoutMs = 1_000

/** Windows: nothing can be asked of a program that has no window yet, and one that is ended leaves alone what it has started. */
export const windowsLaunch: LaunchPlatform = {
  async endTree(pid, ended) {
    const argv = ['/T', '/F', '/PID', String(pid)]
    // It also fails where the process has ended meanwhile; what counts is whether it has.
    await runProgram(systemProgram('taskkill.exe'), argv, taskTimeoutMs).catch(() => undefined)
    return Promise.race([ended.then(() => true), wait(endTimeoutMs, undefined).then(() => false)])
  },
}
