import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import {
  ClosingError,
  type Command,
  type CommandName,
  type CommandResult,
  defaultBrand,
  encodeFrame,
  FrameDecoder,
} from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import type { PipeLimits, PipeParts } from '../../src/pipe/pipe-parts.ts'
import { PipeServer } from '../../src/pipe/pipe-server.ts'
import { StatusKeeper } from '../../src/web-app/status-keeper.ts'

/** Runs one command for a test. */
export type RunCommand = (command: Command, signal: AbortSignal) => Promise<CommandResult<CommandName>>

/** A pipe server in a new folder, whose commands the test runs. */
export async function servePipe(
  run: RunCommand,
  limits: Partial<PipeLimits> = {},
  statusKeeper: PipeParts['statusKeeper'] = new StatusKeeper(),
  told: Pick<PipeParts, 'onNoted'> & { readonly browserPid?: () => number | undefined } = {},
) {
  const folder = await temporaryFolder()
  const closing = new AbortController()
  const pipe = new PipeServer({
    brand: defaultBrand,
    limits,
    culture: 'nb-NO',
    version: '3.0.0.0',
    statusKeeper,
    temporaryFolder: folder.path,
    ...told,
    runner: {
      begin(command, { signal = AbortSignal.abort() } = {}) {
        const answer = run(command, signal)
        const settled = () => undefined
        return { answer, ended: answer.then(settled, settled) }
      },
      runOwn: ({ name }) => (name === 'version' ? '3.0.0.0' : undefined),
      throwIfClosing: () => closing.signal.throwIfAborted(),
    },
  })
  await pipe.bind()
  return {
    address: pipe.address,
    folder: folder.path,
    /** Refuses commands from now on, like a wrapper that exits. */
    beginClosing: () => closing.abort(new ClosingError()),
    close: () => pipe[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await pipe[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Opens a connection to a pipe, which must be there. Ignores the error of a connection that is cut off. */
export async function dial(address: string | undefined): Promise<Socket> {
  if (address === undefined) throw new Error('There is no pipe.')
  const socket = connect(address)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/** Waits until a connection is closed, with or without an error. `once` would throw the error. */
export function whenClosed(socket: Socket): Promise<void> {
  if (socket.closed) return Promise.resolve()
  return new Promise(resolve => {
    socket.on('error', () => undefined).once('close', () => resolve())
  })
}

/** All frames that the server sends until it closes the connection. */
export async function framesUntilClosed(socket: Socket): Promise<string[]> {
  const decoder = new FrameDecoder({ maxFrameBytes: 16 * 1024 * 1024 })
  const frames: string[] = []
  socket.on('data', (chunk: Uint8Array) => {
    for (const body of decoder.push(chunk)) frames.push(Buffer.from(body).toString())
  })
  await whenClosed(socket)
  decoder.end()
  return frames
}

/** The beginning of a frame that claims a length. */
export function header(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(length)
  return bytes
}

/** Sends one classic request, and returns the frames of the reply. */
export async function request(address: string | undefined, envelope: unknown): Promise<string[]> {
  const socket = await dial(address)
  const frames = framesUntilClosed(socket)
  socket.write(encodeFrame(JSON.stringify(envelope)))
  return frames
}

/** Carries out commands only when the test says so. */
export function waiting() {
  const signals: AbortSignal[] = []
  const names: CommandName[] = []
  const mayAnswer = Promise.withResolvers<void>()
  const run: RunCommand = async (command, signal) => {
    names.push(command.name)
    signals.push(signal)
    await mayAnswer.promise
    return command.name === 'getlistofusers' ? [{ id: 1, customId: command.args.customId }] : undefined
  }
  return { run, signals, names, answer: mayAnswer.resolve }
}

/**
 * Makes an address for a server of a test.
 *
 * @param folder absolute path of a folder of the test
 * @returns a Unix socket in the folder, or on Windows a pipe named after both
 */
export function socketAddress(folder: string, name = 's'): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}.${name}` : join(folder, name)
}
