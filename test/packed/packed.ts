import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, inject } from 'vitest'
import type { InstalledNode, PackedPackage } from './install-packed.ts'

const packed = inject('packed')

export const { packages, nodes, nodeTypes } = packed

/** The project with the packed packages. */
export const folder = packed.folder ?? ''

/** Without a registry these tests are skipped. The set-up has printed the reason. */
export const describePacked = describe.skipIf(packed.folder === undefined)

/** Whether a package promises to run on a Node. */
export function runsOn({ oldestNode }: Pick<PackedPackage, 'oldestNode'>, node: InstalledNode): boolean {
  return node.version.localeCompare(oldestNode, 'en', { numeric: true }) >= 0
}

/** The Nodes on which a package runs. */
export function nodesOf(name: string): readonly InstalledNode[] {
  const found = packages.find(each => each.name === `@service-link/${name}`)
  return nodes.filter(node => found && runsOn(found, node))
}

/** Only what a partner's machine has: no variable of the run reaches the programs. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...more }
}

/** Runs a program in the project to its end. Rejects with its output if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<string> {
  const ran = promisify(execFile)(program, args, { cwd, env: environment(more), timeout: 120_000 })
  const { stdout } = await ran.catch(error => {
    throw new Error(`${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

/** A program that runs in the project, and what it printed first. */
export interface Started extends AsyncDisposable {
  readonly firstLine: string
}

/** Starts a program that prints a line when it is ready, and goes on. */
export async function start(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<Started> {
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: environment(more),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  if (!child.stdout) throw new TypeError('No standard output.')
  const lines = createInterface({ input: child.stdout })
  const [firstLine] = await Promise.race([
    once(lines, 'line'),
    ended.then(([code]) => {
      throw new Error(`${args.join(' ')} ended with ${code}.`)
    }),
  ])
  return {
    firstLine,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

/** Path of an installed package's file. */
export const installed = (path: string) => join(folder, 'node_modules', path)

/** Starts the wrapper in memory as a partner in any language does, on the oldest Node that it promises. */
export function startWrapper(): Promise<Started> {
  const program = 'node_modules/@service-link/wrapper-host/dist/cli/service-webwrapper.cjs'
  return start(nodesOf('wrapper-host')[0]?.path ?? '', [program, 'test'])
}
