import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { defineBrand } from '@service-link/protocol-core/brand'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/** Names of a wrapper under load, which no other test finds. */
export const loadBrand = defineBrand({ pipePrefix: 'pipeload' })

/** Question to its process. */
export type LoadQuestion = 'figures'

/** Memory and handles of its process after a garbage collection. */
export interface LoadFigures {
  readonly keptBytes: number
  /** Open sockets, pipes and files. */
  readonly handles: number
}

/** Traces of the wrapper after its exit. */
export interface LoadRemains {
  readonly exitCode: number | null
  /** Its standard error: uncaught errors, warnings, notices. */
  readonly errors: string
  readonly log: string
}

const program = fileURLToPath(new URL('./pipe-load-process.ts', import.meta.url))

/** Starts a wrapper with a web app in memory in a separate process. */
export async function startPipeLoad() {
  const folder = await temporaryFolder()
  const child = fork(program, [folder.path], {
    execArgv: ['-C', '@service-link/source', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const errors = text(child.stderr as Readable)
  const exited: Promise<[number | null]> = once(child, 'exit') as never
  /** Rejects when the wrapper ends unasked. */
  const lost = exited.then(async ([code]): Promise<never> => {
    throw new Error(`The wrapper ended (${code}): ${(await errors).slice(-2000)}`)
  })
  lost.catch(() => undefined)
  const hear = async () => {
    const [message] = await Promise.race([once(child, 'message'), lost])
    return message
  }
  const address: string = await hear()
  return {
    pid: child.pid ?? 0,
    brand: loadBrand,
    userFolder: join(folder.path, 'user'),
    address,
    lost,
    async figures(): Promise<LoadFigures> {
      child.send('figures' satisfies LoadQuestion)
      return hear()
    },
    /** Makes it exit. */
    async end(): Promise<LoadRemains> {
      child.disconnect()
      const [exitCode] = await exited
      const log = await readFile(join(folder.path, 'user', 'logs', 'wrapper.log'), 'utf8')
      return { exitCode, errors: await errors, log }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** See {@link startPipeLoad}. */
export type PipeLoad = Awaited<ReturnType<typeof startPipeLoad>>
