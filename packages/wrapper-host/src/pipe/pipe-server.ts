import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import {
  type Brand,
  BusyError,
  ClosingError,
  commandNames,
  defineError,
  type FrameDecoder,
  pipeAddress,
  type ServiceLinkError,
  sessionEventNames,
  sessionMethods,
  sessionProtocol,
  unixPipeFolder,
} from '@service-link/protocol-core'
import { isInUse, removeLeftover } from '../files/access.ts'
import { failureReason } from '../log/failure-reason.ts'
import { failClassic } from './classic-connection.ts'
import { BodyBytes, defaultPipeLimits, type PipeLimits, type PipeParts } from './pipe-parts.ts'
import { type PipeConnection, serveConnection } from './serve-connection.ts'

/**
 * Another process or file is at the address of this process's pipe.
 *
 * @remedy Report it: nothing but the wrapper should be there. Remove it, and start the wrapper again.
 * @retry no
 * @seenBy administrator
 */
export class PipeTakenError extends defineError('ERR_PIPE_TAKEN', (address: string) => {
  const owner = process.platform === 'win32' ? undefined : ownerOf(address)
  const whose = owner === undefined ? '' : `, of the user with the id ${owner},`
  return {
    message: `Something else${whose} is at ${address}, the address of this wrapper’s pipe. Programs cannot command the wrapper until it is removed and the wrapper started again. Nothing but this process should be there: report it to the administrator of this machine.`,
    address,
    /** Numeric id of its user; `undefined` if the system does not tell. */
    owner,
  }
}) {}

/**
 * The pipe of this process could not be made, as in a folder that is not there.
 *
 * @remedy Let the user write to the folder that `TMPDIR` names, else `/tmp`, and start the wrapper again. It runs without the
 * pipe.
 * @retry no
 * @seenBy administrator
 */
export class PipeUnboundError extends defineError('ERR_PIPE_UNBOUND', (error: unknown) => {
  const reason = failureReason(error)
  return {
    message: `The wrapper’s pipe could not be made (${reason}). On Linux and macOS it lies in the folder that TMPDIR names, else in /tmp.`,
    /** Why, in a word, such as `EACCES`. */
    reason,
  }
}) {}

interface PipeServerOptions
  extends Pick<PipeParts, 'runner' | 'culture' | 'onDropped' | 'onNoted' | 'statusKeeper' | 'log'> {
  readonly brand: Brand
  /** The wrapper's version, `a.b.c.d`. */
  readonly version: string
  /** Folder of Unix sockets. Default: the folder in which .NET looks for them. */
  readonly temporaryFolder?: string
  readonly limits?: Partial<PipeLimits>
  /** Tells the process id of the browser. Default: none. */
  readonly browserPid?: (() => number | undefined) | undefined
  /** Gets the error of a connection that could not be accepted. The server goes on. */
  readonly onUnaccepted?: ((error: unknown) => void) | undefined
}

/** Longest time for a refused client to close its side, in milliseconds. */
const refusedLimitMs = 1000

/**
 * Instances of the pipe that wait for a program on Windows. If all are taken, Node makes another, and meanwhile loses a program
 * that connects, sends its command and ends. Node's default of four loses 2 in 100 programs in bursts of ten.
 */
const waitingInstances = 64

/** Runs `listen` with the settings of the process for a pipe: waiting instances on Windows, else a socket of this user alone. */
function withPipeSettings(listen: () => void): void {
  const isWindows = process.platform === 'win32'
  const { NODE_PENDING_PIPE_INSTANCES: instances } = process.env
  const mask = isWindows ? undefined : process.umask(0o177)
  if (isWindows) process.env.NODE_PENDING_PIPE_INSTANCES = String(waitingInstances)
  try {
    listen()
  } finally {
    if (mask !== undefined) process.umask(mask)
    else if (instances !== undefined) process.env.NODE_PENDING_PIPE_INSTANCES = instances
    else delete process.env.NODE_PENDING_PIPE_INSTANCES
  }
}

/** Serves the named pipe of this process (spec 4.5) to many clients. */
export class PipeServer implements AsyncDisposable {
  /** As `net.connect` takes it. */
  readonly address: string
  readonly #parts: PipeParts
  readonly #server: Server
  readonly #onUnaccepted: PipeServerOptions['onUnaccepted']
  readonly #connections = new Map<Socket, PipeConnection>()
  #isListening = false
  #isClosed = false

  constructor(options: PipeServerOptions) {
    const { brand, version, temporaryFolder = unixPipeFolder(process.env), onUnaccepted, ...others } = options
    const { browserPid, ...shared } = others
    this.#onUnaccepted = onUnaccepted
    const limits = { ...defaultPipeLimits, ...options.limits }
    this.address = pipeAddress(brand, process.pid, process.platform, temporaryFolder)
    this.#parts = {
      ...shared,
      limits,
      bodyBytes: new BodyBytes(limits),
      unsent: { byteCount: 0 },
      hello: {
        protocol: sessionProtocol,
        version,
        pid: process.pid,
        get browserpid() {
          return browserPid?.()
        },
        capabilities: [...Object.keys(sessionMethods), ...commandNames, ...sessionEventNames],
        maxinflight: limits.maxInFlight,
      },
    }
    this.#server = createServer({ allowHalfOpen: true }, socket => this.serve(socket))
  }

  /**
   * Binds the pipe of this process, for this user only. Clients that come through the private socket need no pipe.
   *
   * @throws {PipeTakenError} when something else has its address
   * @throws {PipeUnboundError} when it cannot be made
   */
  async bind(): Promise<void> {
    try {
      if (process.platform !== 'win32' && !removeLeftover(this.address))
        throw new PipeTakenError(this.address)
      this.#isListening = true
      // `listen` makes the pipe before it returns, so no other user can open its socket file in between.
      withPipeSettings(() => this.#server.listen({ path: this.address, backlog: 511 }))
      await once(this.#server, 'listening')
      this.#server.on('error', error => this.#onUnaccepted?.(error))
    } catch (error) {
      this.#isListening = false
      if (error instanceof PipeTakenError) throw error
      throw isInUse(error) ? new PipeTakenError(this.address) : new PipeUnboundError(error)
    }
  }

  /** Serves a client, also one that comes through the private socket. */
  serve(socket: Socket, decoder?: FrameDecoder, bodies?: readonly Uint8Array[]): void {
    if (this.#isClosed) this.#refuse(socket, new ClosingError())
    else if (this.#connections.size < this.#parts.limits.maxConnections || this.#makeRoom()) {
      socket.on('close', () => this.#connections.delete(socket))
      this.#connections.set(socket, serveConnection(socket, this.#parts, decoder, bodies))
    } else this.#refuse(socket)
  }

  /**
   * Refuses the oldest connection without a byte. Windows lets other users connect for reading, and they could fill all places. A
   * client that may write sends its first request at once. Returns whether there was such a connection.
   */
  #makeRoom(): boolean {
    for (const [socket, connection] of this.#connections)
      if (socket.bytesRead === 0) {
        this.#connections.delete(socket)
        connection.release()
        this.#refuse(socket)
        return true
      }
    return false
  }

  #refuse(socket: Socket, reason: ServiceLinkError = tooMany()): void {
    const { limits } = this.#parts
    socket.on('error', () => undefined).resume()
    const unreadLimitMs = Math.min(refusedLimitMs, limits.unreadLimitMs)
    failClassic(socket, reason, { limits: { ...limits, unreadLimitMs } })
  }

  /**
   * Takes no further client, writes the last answers, and ends the connections. A client that does not read its answer in time
   * loses it.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const ended = [...this.#connections.keys()].map(
      socket => new Promise<void>(resolve => void socket.once('close', () => resolve())),
    )
    if (this.#isListening) this.#server.close()
    for (const connection of this.#connections.values()) connection.close()
    const timer = setTimeout(() => {
      for (const socket of this.#connections.keys()) socket.destroy()
    }, this.#parts.limits.lastAnswersMs)
    await Promise.all(ended)
    clearTimeout(timer)
  }
}

const tooMany = () => new BusyError('Too many programs are connected to the wrapper.')

function ownerOf(address: string): number | undefined {
  try {
    return lstatSync(address, { throwIfNoEntry: false })?.uid
  } catch {
    return undefined
  }
}
