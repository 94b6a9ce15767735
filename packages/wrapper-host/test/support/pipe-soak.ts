import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Orders for the process of the clients. */
export interface SoakOrder {
  readonly durationMs: number
}

/** Result of the process of the clients. */
export interface SoakReport {
  /** Successful calls, by client. */
  readonly completed: readonly number[]
  readonly givenUpCount: number
  readonly longestMs: number
  readonly failureCount: number
  /** The first failures. */
  readonly failures: readonly string[]
}

const program = fileURLToPath(new URL('./pipe-soak-clients.ts', import.meta.url))

/** Connects many clients to a wrapper, from one other process. */
export async function startSoakClients(userFolder: string, clientCount: number, callsAtATime: number) {
  const child = fork(program, [userFolder, ...[clientCount, callsAtATime].map(String)], {
    execArgv: ['-C', '@service-link/source'],
  })
  const exited = once(child, 'exit')
  const lost = exited.then(([code]): never => {
    throw new Error(`The process of the clients ended with ${code}.`)
  })
  lost.catch(() => undefined)
  const hear = async () => {
    const [message] = await Promise.race([once(child, 'message'), lost])
    return message
  }
  const modes: readonly string[] = await hear()
  return {
    /** Mode of each client. */
    modes,
    /** Lets all clients call for a while. Resolves after the last answer. */
    run(durationMs: number): Promise<SoakReport> {
      child.send({ durationMs } satisfies SoakOrder)
      return hear()
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
