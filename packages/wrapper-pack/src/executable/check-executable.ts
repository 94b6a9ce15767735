import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { nodeVersionOf } from '../node/choose-nodes.ts'
import { PackError, type PackPlan } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'
import { withoutNodeOptions } from './build-executable.ts'
import { problemOfWindowsExecutable } from './windows-executable.ts'

/** Node reads a program from an executable only where this word ends with a one. */
const fuse = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:')
const startTimeoutMs = 120_000

/** What {@link checkExecutable} looks at. */
export interface CheckExecutableOptions {
  /** Absolute path. */
  readonly file: string
  readonly plan: PackPlan
  readonly isForWindows: boolean
  /** Version of the Node that wrote the program into it. */
  readonly nodeVersion: string
  /** What `--help` must print; nothing: it is not started, as on another platform, or with an own program. */
  readonly helpText: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Looks at an executable as it was made: one whose Node is another than that which wrote the program starts, prints nothing and
 * ends.
 *
 * @throws {PackError} `executable`
 */
export async function checkExecutable(options: CheckExecutableOptions): Promise<void> {
  const { file, plan, isForWindows, helpText, signal } = options
  const bytes = await readFile(file)
  const fail = (problem: string) => {
    throw new PackError('executable', `The executable that was made ${problem}. It was removed.`)
  }
  const version = nodeVersionOf(bytes)
  if (version !== options.nodeVersion)
    fail(
      `has Node ${version ?? 'of an unknown version'}, and its program was written by ${options.nodeVersion}`,
    )
  const at = bytes.indexOf(fuse)
  if (at === -1 || bytes[at + fuse.length] !== '1'.charCodeAt(0)) fail('does not start its program')
  const problem = isForWindows ? problemOfWindowsExecutable(bytes, plan) : undefined
  if (problem) fail(problem)
  if (helpText === undefined) return
  const environment = withoutNodeOptions(process.env)
  const end = await runTool(file, ['--help'], { timeoutMs: startTimeoutMs, signal, environment })
  if (end.exitCode !== 0 || end.stdout !== helpText)
    fail(`does not answer ${basename(file)} --help as it should (exit code ${end.exitCode ?? 'none'})`)
}
