import { type ChildProcess, spawn } from 'node:child_process'
import { systemProgram } from '@service-link/protocol-core/brand'

/** Options of `spawn` for a program that ends together with all that it starts. */
export const ownGroup = { detached: process.platform !== 'win32', windowsHide: true } as const

/**
 * Kills a program of {@link ownGroup} with all that it started, and lets go of its pipes: what left the group may hold them.
 * On Windows the children of a program that has ended stay.
 */
export function killGroup(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy()
  child.unref()
  killMembers(child)
}

/** Kills what a program has left behind. What it wrote can be read to its end. */
export function killMembers({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    const killing = spawn(systemProgram('taskkill.exe'), ['/F', '/T', '/PID', String(pid)], {
      stdio: 'ignore',
    })
    killing.on('error', () => undefined)
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}
