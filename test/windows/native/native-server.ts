import { expect, vi } from 'vitest'
import { beginAgain } from '../wine/begin-again.ts'
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
export function startNativeServer(
  windows: WindowsMachine,
  program: string,
  args: readonly string[],
): Promise<NativeServer> {
  return beginAgain(() => tryStart(windows, program, args))
}

async function tryStart(
  windows: WindowsMachine,
  program: string,
  args: readonly string[],
): Promise<NativeServer | undefined> {
  const server = await windows.start(program, args)
  const lines = async () => (await server.stdout()).split(/\r?\n/)
  const look = async () => {
    const [, pid] = /^listens (\d+)$/.exec((await lines())[0] ?? '') ?? []
    expect(pid).toBeDefined()
    return pid
  }
  const pid = await vi.waitFor(look, { timeout: 45_000 }).catch(() => undefined)
  if (pid !== undefined)
    return {
      pid,
      requests: async () => (await lines()).slice(1).filter(line => line !== ''),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  const said = await server.stdout()
  await server[Symbol.asyncDispose]()
  if (said !== '') throw new Error('The server did not begin with its process id.')
  return undefined
}
