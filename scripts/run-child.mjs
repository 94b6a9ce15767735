import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {import('node:child_process').ChildProcess | undefined} */
let running
let signaled = false

/**
 * Runs a program in place of this one: terminal, signals and exit code pass through.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {(code: number) => void} [ended] what follows, unless a signal has come. Default: this program ends, too
 */
export function runChild(command, args, options, ended = code => process.exit(code)) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  if (!running)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => {
        signaled = true
        running?.kill(signal)
      })
  running = child
  child.on('error', error => {
    console.error(`Cannot start ${command}: ${error.message}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    const exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
    if (signaled) process.exit(exitCode)
    ended(exitCode)
  })
}
