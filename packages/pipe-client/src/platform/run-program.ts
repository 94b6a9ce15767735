import { execFile } from 'node:child_process'

/** Bounds of {@link runProgram}. */
export interface ProgramBounds {
  /** Longest wait, in milliseconds; then the program is ended. */
  readonly timeoutMs: number
  /** Ends the program, too. */
  readonly signal: AbortSignal | undefined
}

/** Enough for a line about each process of a large machine. */
const maxOutputBytes = 16 * 1024 * 1024

/**
 * Runs a program of the operating system without a window, and without a shell. Without `node:util`, whose import alone
 * opens standard output.
 *
 * @param timeoutMs longest wait, in milliseconds; then the program is ended
 * @param signal ends the program, too
 * @returns what it wrote to standard output
 * @throws an error of Node when it cannot be started, or does not end well
 */
export function runProgram(
  program: string,
  argv: readonly string[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // None at all would be no bound.
    const timeout = Math.max(1, Math.ceil(timeoutMs))
    execFile(
      program,
      argv,
      { windowsHide: true, timeout, maxBuffer: maxOutputBytes, ...(signal ? { signal } : {}) },
      (error, stdout) => {
        if (error) reject(error)
        else resolve(stdout)
      },
    )
  })
}
