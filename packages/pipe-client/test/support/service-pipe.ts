import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Terminal } from '@service-link/terminal'
import { type MemoryTerminal, memoryTerminal } from '@service-link/terminal/testing'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { uniqueBrand } from './pipe-places.ts'

const script = fileURLToPath(new URL('../../src/cli/service-pipe.ts', import.meta.url))

/** Node's arguments to run it from its sources. */
export const servicePipeArguments = ['-C', '@service-link/source', script]

/** Options that lead to a wrapper of the default brand, except its pipe's name. */
export function optionsForPrefix(prefix: string): string[] {
  return ['--brand-name', 'Service', '--vendor', prefix, '--pipe-prefix', prefix]
}

/** The result of a run of `service-pipe`. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Options of a run. */
export interface ServicePipeOptions {
  /** First part of the pipe's name; null for none. Default: one without a pipe. */
  readonly prefix?: string | null
  /** Content of standard input. Default: empty. */
  readonly input?: string
  readonly terminal?: Partial<Terminal>
}

/** A run of `service-pipe` in this process. */
export interface RunningServicePipe {
  readonly finished: Promise<Finished>
  readonly terminal: MemoryTerminal
}

/** Starts `service-pipe` in this process. */
export function startServicePipe(
  args: readonly string[],
  options: ServicePipeOptions = {},
): RunningServicePipe {
  const { input = '' } = options
  const terminal = memoryTerminal({ stdin: Readable.from([Buffer.from(input)]), ...options.terminal })
  const finished = runServicePipe(withPrefix(args, options), terminal).then(exitCode => ({
    exitCode,
    stdout: terminal.printed(),
    stderr: terminal.told(),
  }))
  return { finished, terminal }
}

/** Runs `service-pipe` in this process to its end. */
export function runHere(args: readonly string[], options?: ServicePipeOptions): Promise<Finished> {
  return startServicePipe(args, options).finished
}

/** Starts `service-pipe` in a separate process with empty standard input. */
export function startServicePipeProcess(
  args: readonly string[],
  options: ServicePipeOptions = {},
): { readonly child: ChildProcess; readonly finished: Promise<Finished> } {
  const child = spawn(process.execPath, [...servicePipeArguments, ...withPrefix(args, options)])
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      written[name] += text
    })
  child.stdin.on('error', () => {}).end(options.input ?? '')
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', exitCode => resolve({ exitCode, ...written }))
  })
  return { child, finished }
}

function withPrefix(
  args: readonly string[],
  { prefix = uniqueBrand().pipePrefix }: ServicePipeOptions,
): string[] {
  return [...args, ...(prefix === null ? [] : optionsForPrefix(prefix))]
}
