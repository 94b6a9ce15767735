import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { EndOfRun } from '../scenario.ts'
import { killGroup, killMembers, ownGroup } from './program-group.ts'

/** End of a program. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

interface RunProgramOptions {
  readonly signal: AbortSignal
  /** Beside those of this process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Default: none. */
  readonly input?: string
}

/** Far more than half a million bytes of a list as JSON. */
const maxOutputBytes = 32 * 1024 * 1024

/**
 * Runs a program to its end, which is also the end of all that it started. The signal kills it.
 *
 * @throws {EndOfRun} if it cannot be started; {Error} if it writes too much; the signal's reason when it aborts
 */
export function runProgram(
  [program = '', ...args]: readonly string[],
  { signal, environment, input }: RunProgramOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn(program, args, {
      env: { ...process.env, ...environment },
      ...ownGroup,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort)
      killGroup(child)
      reject(error)
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort)
    let bytes = 0
    const collect = (stream: Readable | null) => {
      const chunks: Buffer[] = []
      stream?.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxOutputBytes) fail(new Error(`The program wrote more than ${maxOutputBytes} bytes.`))
        else chunks.push(chunk)
      })
      return () => Buffer.concat(chunks).toString()
    }
    const output = collect(child.stdout)
    const errors = collect(child.stderr)
    // A program may end without reading its input.
    child.stdin?.on('error', () => undefined).end(input)
    child.on('error', error => fail(new EndOfRun(`The program cannot be started: ${codeOf(error)}.`)))
    // A child that goes on would hold the pipes open.
    child.on('exit', () => killMembers(child))
    child.on('close', exitCode => {
      signal.removeEventListener('abort', abort)
      resolve({ exitCode, output: output(), errors: errors() })
    })
  })
}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
