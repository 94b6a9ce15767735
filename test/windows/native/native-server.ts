import { expect, vi } from 'vitest'
import type { WindowsMachine } from '../wine/windows-machine.ts'

/** A run of `pipe-server.c`. */
export interface NativeServer extends AsyncDisposable {
  readonly pid: string
  /** Its requests, as `<method> <id>`. */
  requests(): Promise<readonly string[]>
}

/**
 * Starts a server and waits until its pipe exists.
 *
 * @param program absolute path of the executable
 * @param args of the program
 */
export async function startNativeServer(
  windows: WindowsMachine,
  program: string,
  args: readonly string[],
): Promise<NativeServer> {
  const server = await windows.start(program, args)
  const lines = async () => (await server.stdout()).split(/\r?\n/)
  const look = async () => {
    const [, pid] = /^listens (\d+)$/.exec((await lines())[0] ?? '') ?? []
    expect(pid).toBeDefined()
    return pid ?? ''
  }
  return {
    pid: await vi.waitFor(look, { timeout: 60_000 }),
    requests: async () => (await lines()).slice(1).filter(line => line !== ''),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
