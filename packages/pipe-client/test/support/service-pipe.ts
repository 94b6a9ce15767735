import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Terminal } from '@service-link/command-line'
import { type MemoryTerminal, memoryTerminal } from '@service-link/command-line/testing'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { uniqueBrand } from './pipe-places.ts'

const script = fileURLToPath(new URL('../../src/cli/service-pipe.ts', import.meta.url))

/** The arguments by which Node runs it from its sources. */
export const servicePipeArguments = ['-C', '@service-link/source', script]

/** The options that lead to a wrapper of the default brand, apart from its pipe's name. */
export function optionsForPrefix(prefix: string): string[] {
  return ['--brand-name', 'Service', '--vendor', prefix, '--pipe-prefix', prefix]
}

/** How one call of `service-pipe` ended. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** What a test chooses of a call. */
export interface ServicePipeOptions {
  /** First part of the pipe's name; null for none. Default: one without a pipe. */
  readonly prefix?: string | null
  /** All of standard input. Default: nothing. */
  readonly input?: string
  readonly terminal?: Partial<Terminal>
}

/** A call of `service-pipe` in this process. */
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

/** Starts `service-pipe` in a process of its own, with nothing on its standard input. */
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
