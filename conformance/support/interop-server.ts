import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { temporaryFolder } from '../../internal/test-kit/src/temporary-folder.ts'
import { ownDesktop } from '../../packages/pipe-client/src/running/index.ts'
import { encodeFrame, FrameDecoder } from '../../packages/protocol-core/src/frame/frame.ts'

/** A server with a record, for answers that a wrapper never gives. */
export interface InteropServer extends AsyncDisposable {
  /** All bytes after the proof, by connection. */
  readonly received: readonly Buffer[]
}

/** Options of {@link startInteropServer}. */
export interface InteropServerOptions {
  /** Sent in place of the second secret. */
  readonly answer?: string
  /** Permissions of the record. Default: this user alone. */
  readonly mode?: number
  /** Desktop in the record. Default: the one of this process. */
  readonly desktop?: string
}

const key = { ask: 'a'.repeat(64), answer: 'b'.repeat(64) }

/** Publishes the record of this process where programs look for it, and answers each connection once its request is complete. */
export async function startInteropServer(
  answer: (socket: Socket) => void,
  { answer: secret = key.answer, mode = 0o600, desktop = ownDesktop() }: InteropServerOptions = {},
): Promise<InteropServer> {
  const folder = await temporaryFolder()
  const received: Buffer[] = []
  const server = createServer(socket => {
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    let index = -1
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const bodies = decoder.push(chunk)
      if (index >= 0) {
        received[index] = Buffer.concat([received[index] ?? chunk, chunk])
        if (bodies.length > 0) answer(socket)
      } else if (bodies.length > 0) {
        index = received.push(Buffer.alloc(0)) - 1
        socket.write(encodeFrame(JSON.stringify({ answer: secret })))
      }
    })
  })
  const address = join(folder.path, 'server "1" å')
  await new Promise<void>(resolve => server.listen(address, resolve))
  const record = { pid: process.pid, desktop, version: '3.0.0.0', address, key }
  mkdirSync(join(folder.path, 'run'), { mode: 0o700 })
  const file = join(folder.path, 'run', '0123456789ab.json')
  writeFileSync(file, JSON.stringify(record))
  chmodSync(file, mode)
  vi.stubEnv('SERVICE_WRAPPER_DATA', folder.path)
  return {
    received,
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      await new Promise(resolve => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}
