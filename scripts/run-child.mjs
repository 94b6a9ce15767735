import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in place of this one: terminal, signals and exit code pass through.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function runChild(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`Cannot start ${command}: ${error.message}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
