import { execFile } from 'node:child_process'

/**
 * Runs a program of the operating system without a window, and without a shell. Without `node:util`, whose import alone
 * opens standard output.
 *
 * @param timeoutMs longest wait, in milliseconds; then the program is ended
 * @returns what it wrote to standard output
 * @throws an error of Node when it cannot be started, or does not end well
 */
export function runProgram(program: string, argv: readonly string[], timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, argv, { windowsHide: true, timeout: timeoutMs }, (error, stdout) => {
      if (error) reject(error)
      else resolve(stdout)
    })
  })
}
