import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { uniqueBrand } from './_classic-server.ts'

const script = fileURLToPath(new URL('../src/cli/service-pipe.ts', import.meta.url))

/** The arguments by which Node runs it from its sources. */
export const servicePipeArguments = ['-C', '@service-link/source', script]

/** The options that lead to a wrapper of the default brand, apart from its pipe's name. */
export function optionsForPrefix(prefix: string): string[] {
  return ['--brand-name', 'Service', '--pipe-prefix', prefix]
}

/** How one call of `service-pipe` ended. */
export interface Finished {
  /** Nothing when a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A call of `service-pipe`, in a process of its own. */
export interface StartedServicePipe {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** What it has written so far. */
  readonly written: { stdout: string; stderr: string }
}

/** What a test chooses of a call. */
export interface ServicePipeOptions {
  /** First part of the pipe's name, null to say nothing of it. Default: one of which there is no pipe. */
  readonly prefix?: string | null
  /** All of standard input. Default: nothing. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts `service-pipe`. */
export function startServicePipe(
  args: readonly string[],
  options: ServicePipeOptions = {},
): StartedServicePipe {
  const { prefix = uniqueBrand().pipePrefix, input = '', environment = {} } = options
  const argv = [...servicePipeArguments, ...args]
  if (prefix !== null) argv.push(...optionsForPrefix(prefix))
  const child = spawn(process.execPath, argv, { env: { ...process.env, ...environment } })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      written[name] += text
    })
  // It need not read what it is given.
  child.stdin.on('error', () => {}).end(input)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, ...written }))
  })
  return { child, finished, written }
}

/** Runs `service-pipe` to its end. */
export function runServicePipeProcess(
  args: readonly string[],
  options?: ServicePipeOptions,
): Promise<Finished> {
  return startServicePipe(args, options).finished
}
