import { lstat, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { type Brand, pipeAddress, ServiceLinkError, unixPipeFolder } from '@service-link/protocol-core'
import { type ClassicConnectionOptions, serveClassicConnection } from './classic-connection.ts'

/** Something that is not ours sits at the address of this process's pipe. */
export class PipeTakenError extends ServiceLinkError<'ERR_PIPE_TAKEN'> {
  readonly code = 'ERR_PIPE_TAKEN'
  readonly address: string

  constructor(address: string) {
    super(
      `Something else already listens at ${address}, the address of this wrapper’s pipe. Nothing but this process should: report it to whoever looks after this machine.`,
    )
    this.address = address
  }
}

/** Options of {@link PipeServer.listen}. */
export interface PipeServerOptions extends ClassicConnectionOptions {
  readonly brand: Brand
  /** Folder of temporary files, in which Unix sockets lie. Default: where .NET looks for them. */
  readonly temporaryFolder?: string
  /** Longest wait for clients to read the last answers when the server closes, in milliseconds. Default 2,000. */
  readonly lastAnswersMs?: number
}

/** The named pipe of this process (specification 4.5). Any number of clients may be connected. */
export class PipeServer implements AsyncDisposable {
  /** As `net.connect` takes it. */
  readonly address: string
  readonly #lastAnswersMs: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(address: string, options: PipeServerOptions) {
    this.address = address
    this.#lastAnswersMs = options.lastAnswersMs ?? 2000
    this.#server = createServer({ allowHalfOpen: true }, socket => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      serveClassicConnection(socket, options)
    })
  }

  /**
   * Binds the pipe of this process, for this user only.
   *
   * @throws {PipeTakenError} when another process holds that address, or left it behind as another user
   */
  static async listen(options: PipeServerOptions): Promise<PipeServer> {
    const folder = options.temporaryFolder ?? unixPipeFolder(process.env)
    const address = pipeAddress(options.brand, process.pid, process.platform, folder)
    if (process.platform !== 'win32') await removeLeftover(address)
    const pipe = new PipeServer(address, options)
    await pipe.#bind()
    return pipe
  }

  #bind(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', error =>
        reject('code' in error && error.code === 'EADDRINUSE' ? new PipeTakenError(this.address) : error),
      )
      // The socket file is made inside this call: nobody else can open it in between.
      const before = process.platform === 'win32' ? undefined : process.umask(0o177)
      this.#server.listen({ path: this.address, backlog: 511 }, resolve)
      if (before !== undefined) process.umask(before)
    })
  }

  /**
   * Takes no further client and, once the answers on their way are written, ends the connections. A client that does not
   * read its answer in time loses it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroySoon()
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, this.#lastAnswersMs)
    await closed
    clearTimeout(timer)
  }
}

/** A socket of this very process id, left by a process that had the id before. */
async function removeLeftover(address: string): Promise<void> {
  const found = await lstat(address).catch(() => undefined)
  if (!found) return
  if (!found.isSocket() || found.uid !== process.getuid?.()) throw new PipeTakenError(address)
  await rm(address, { force: true })
}
