import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import { runServicePayload } from '../../../packages/jwt-payload/src/cli/run-service-payload.ts'
// @boundaries-ignore: tests of that package use this one, so it cannot be a dependency
import { memoryTerminal } from '../../terminal/src/testing.ts'

const script = fileURLToPath(
  new URL('../../../packages/jwt-payload/src/cli/service-payload.ts', import.meta.url),
)

export const audience = 'https://sso.example/partner/payload'

/** A test person as claims. No output may hold any of it. */
export const claims = {
  organizationId: 'org-secret-1',
  employeeId: 'emp-secret-7',
  contact: { id: '01018012345', firstname: 'Ola', lastname: 'Nordmann' },
}

/** The result of a run of `service-payload`. */
export interface Finished {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts `service-payload` from its sources, in a separate process. */
export function startCli(
  args: readonly string[],
  changed: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const { NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...env } = { ...process.env, ...changed }
  const argv = ['--disable-warning=ExperimentalWarning', '-C', '@service-link/source', script, ...args]
  const child = spawn(process.execPath, argv, { env })
  // The child may end without reading its input.
  child.stdin.on('error', () => undefined)
  return child
}

/** Waits for its end and returns its output. */
export function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, stdout, stderr }))
  })
}

/** Runs it to its end, in a separate process. */
export function runProcess(args: readonly string[], stdin: string | Uint8Array = ''): Promise<Finished> {
  const child = startCli(args)
  const finished = finish(child)
  child.stdin.end(stdin)
  return finished
}

/** A folder that is removed with its scope. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  readonly file: (name: string) => string
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'service-payload-'))
  return {
    path,
    file: name => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * Runs it in this process.
 *
 * @param line the arguments, as a list or with blanks between them
 */
export async function runHere(
  line: string | readonly string[],
  stdin: string | Uint8Array = '',
): Promise<Finished> {
  const args = typeof line === 'string' ? line.split(' ') : line
  const input = stdin.length === 0 ? [] : [Buffer.from(stdin)]
  const terminal = memoryTerminal({ stdin: Readable.from(input) })
  const exitCode = await runServicePayload(args, terminal)
  return { exitCode, stdout: terminal.printed(), stderr: terminal.told() }
}
