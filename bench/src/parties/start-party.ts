import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { listen } from '@service-link/test-kit/serve'

const readyTimeoutMs = 30_000

interface Party extends AsyncDisposable {
  /** Its first message: the address where it listens. */
  readonly address: string
  readonly pid: number
  /** Returns its answer to a message: of a server the processor time until now, in microseconds. */
  ask(): Promise<unknown>
}

/** Starts a module of this folder in a separate process. */
export async function startParty(
  name: string,
  options: { readonly env?: NodeJS.ProcessEnv; readonly input?: unknown } = {},
): Promise<Party> {
  const program = new URL(`${name}.ts`, import.meta.url)
  const child = fork(program, [JSON.stringify(options.input ?? null)], {
    env: { ...process.env, ...options.env },
  })
  const exited = once(child, 'exit')
  const ready = once(child, 'message', { signal: AbortSignal.timeout(readyTimeoutMs) })
  const failed = exited.then(([code]) => {
    throw new Error(`The party ${name} ended with ${code} before it was ready.`)
  })
  const [address] = await Promise.race([ready, failed]).catch(error => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    address: String(address),
    pid: child.pid ?? 0,
    async ask() {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(readyTimeoutMs) })
      child.send('')
      return (await answer)[0]
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await exited
      clearTimeout(killer)
    },
  }
}

/** Serves, reports the port to the parent process, and ends with the parent. */
export async function listenAsParty(listener: RequestListener): Promise<void> {
  const server = await listen(listener)
  process.send?.(server.port)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.once('disconnect', () => void server[Symbol.asyncDispose]())
}
