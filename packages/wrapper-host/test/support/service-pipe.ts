import { type ChildProcess, spawn } from 'node:child_process'
import { bundleProgram } from '@service-link/test-kit/bundle-program'
import { expect } from 'vitest'
import type { TestWrapper } from '../../src/testing/index.ts'

const script = new URL('cli/service-pipe.ts', import.meta.resolve('@service-link/pipe-client'))

/** A run of `service-pipe` in a separate process. */
export interface ServicePipeProcess {
  readonly child: ChildProcess
  /** Its output so far. */
  readonly written: { readonly stdout: string; readonly stderr: string }
  /** The JSON values of its standard output so far, one per line. */
  readonly lines: () => unknown[]
  /** Resolves at its end. */
  readonly ended: Promise<{ exitCode: number | null; signal: string | null }>
  /** Waits for this text on standard error. */
  told(text: string): Promise<void>
}

/** Options of `service-pipe` for one wrapper. */
export function argumentsFor({ pid, brand }: Pick<TestWrapper, 'pid' | 'brand'>): string[] {
  const { name, vendor, application, pipePrefix } = brand
  const ofBrand = ['--brand-name', name, '--vendor', vendor, '--application', application]
  return ['--pid', String(pid), ...ofBrand, '--pipe-prefix', pipePrefix]
}

/** The shell command that starts it. */
export const servicePipeCommand = [process.execPath, await bundleProgram(script)]

/** Starts it. */
export function startServicePipe(
  args: readonly string[],
  { folders: { userFolder } }: Pick<TestWrapper, 'folders'>,
): ServicePipeProcess {
  const [node = '', ...argv] = servicePipeCommand
  const child = spawn(node, [...argv, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SERVICE_WRAPPER_DATA: userFolder },
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      written[name] += text
    })
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  return {
    child,
    written,
    lines: () =>
      written.stdout
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line)),
    ended,
    told: text => expect.poll(() => written.stderr, { timeout: 60_000, interval: 5 }).toContain(text),
  }
}
