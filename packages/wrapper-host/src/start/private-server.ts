import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  ArgsError,
  defineError,
  type HandOffOutcome,
  handOffRequestSchema,
  isServiceLinkError,
  type WrapperRecord,
  wrapperRecordSchema,
} from '@service-link/protocol-core'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import * as z from 'zod/mini'
import { instanceFileError, isInUse, removeLeftover } from '../files/access.ts'
import { LaunchOffers, type TakeLaunch } from '../launch/launch-offers.ts'

/**
 * Something other than this user's wrapper has the address of the private socket.
 *
 * @remedy Report it: it is an incident. An administrator finds out which process has the address.
 * @retry no
 * @seenBy administrator
 */
export class HandOffTakenError extends defineError('ERR_HAND_OFF_TAKEN', (address: string) => ({
  message: `Something that is not this user’s wrapper sits at ${address}. Nothing else should: report it to the administrator of this machine.`,
  address,
})) {}

/** Serves a proven connection whose first message is not a launch. */
type ServeClient = (socket: Socket, decoder: FrameDecoder, bodies: readonly Uint8Array[]) => void

export interface PrivateServerOptions {
  /** Secrets by which both sides prove themselves. */
  readonly key: WrapperRecord['key']
  readonly take: TakeLaunch
  /** Serves clients. Default: their messages are refused. */
  readonly serve?: ServeClient | undefined
  /** Gets the error of a connection that could not be accepted. The server goes on. */
  readonly onUnaccepted?: ((error: unknown) => void) | undefined
  /** Longest wait for the first message of a connection, in milliseconds. Default 10,000. */
  readonly requestLimitMs?: number
  /**
   * Longest wait in milliseconds to write an answer, to get the last answers when the wrapper closes, and for a connection to end
   * after its last answer. Default 2,000.
   */
  readonly lastAnswersMs?: number
}

const defaultLimits = { requestLimitMs: 10_000, lastAnswersMs: 2000 }

const askSchema = z.strictObject({ ask: wrapperRecordSchema.shape.key.shape.ask })

/**
 * Listens at the wrapper's private address. Closes a connection without an answer if it does not send the key's first secret.
 * After the proof a connection carries one launch or belongs to a client. {@link LaunchOffers} takes a launch at most once, and
 * carries it out only after its process has the answer.
 */
export class PrivateServer implements AsyncDisposable {
  readonly #offers: LaunchOffers
  readonly #options: PrivateServerOptions & typeof defaultLimits
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answering = new Set<Promise<void>>()

  private constructor(options: PrivateServerOptions) {
    this.#options = { ...defaultLimits, ...options }
    this.#offers = new LaunchOffers(options.take)
    this.#server = createServer({ allowHalfOpen: true }, socket => this.#accept(socket))
  }

  /** Binds the address. The caller holds the instance's lock, so an existing socket file is a leftover of an ended wrapper. */
  static async listen(address: string, options: PrivateServerOptions): Promise<PrivateServer> {
    const server = new PrivateServer(options)
    try {
      if (process.platform !== 'win32' && !removeLeftover(address)) throw new HandOffTakenError(address)
      server.#server.listen({ path: address, backlog: 511 })
      await once(server.#server, 'listening')
      server.#server.on('error', error => options.onUnaccepted?.(error))
    } catch (error) {
      if (error instanceof HandOffTakenError) throw error
      if (isInUse(error)) throw new HandOffTakenError(address)
      throw instanceFileError(address, 'the hand-off socket', error)
    }
    return server
  }

  /**
   * Takes no further connection. Call it when waiting launches have failed: their processes get the answer before their connection
   * ends. Without an answer they would offer the launch again and start another wrapper. Connections of clients stay.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    await Promise.race([
      Promise.all(this.#answering),
      wait(this.#options.lastAnswersMs, undefined, { ref: false }),
    ])
    const closed = [...this.#sockets].map(
      socket => new Promise<void>(resolve => void socket.once('close', () => resolve())),
    )
    for (const socket of this.#sockets) {
      destroyWithin(socket, this.#options.lastAnswersMs)
      socket.destroySoon()
    }
    await Promise.all(closed)
  }

  #accept(socket: Socket): void {
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    this.#sockets.add(socket)
    const deadline = destroyWithin(socket, this.#options.requestLimitMs)
    let isProven = false
    const onData = (chunk: Uint8Array) => {
      try {
        const bodies = decoder.push(chunk)
        const first = isProven ? undefined : bodies.shift()
        if (first && !this.#prove(socket, first)) {
          socket.destroy()
          return
        }
        isProven ||= first !== undefined
        const [body] = bodies
        if (!body) return
        clearTimeout(deadline)
        stop()
        this.#begin(socket, decoder, [body, ...bodies.slice(1)])
      } catch (error) {
        clearTimeout(deadline)
        stop()
        // No answer without a proof.
        if (!isProven) socket.destroy()
        if (isProven && this.#options.serve) this.#serveClient(socket, decoder)
        else {
          socket.resume()
          this.#sendLast(socket, refusalOf(error))
        }
      }
    }
    const onEnd = () => socket.destroy()
    const stop = () => socket.off('data', onData).off('end', onEnd)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', onData)
    socket.on('end', onEnd)
  }

  #begin(socket: Socket, decoder: FrameDecoder, bodies: readonly [Uint8Array, ...Uint8Array[]]): void {
    if (this.#options.serve && !isLaunch(bodies[0])) {
      this.#serveClient(socket, decoder, bodies)
      return
    }
    const message = decodeJson(bodies[0])
    socket.resume()
    const answering = this.#answer(socket, message).finally(() => this.#answering.delete(answering))
    this.#answering.add(answering)
  }

  #serveClient(socket: Socket, decoder: FrameDecoder, bodies: readonly Uint8Array[] = []): void {
    this.#sockets.delete(socket)
    this.#options.serve?.(socket, decoder, bodies)
  }

  /** @returns whether the other side has proven itself */
  #prove(socket: Socket, body: Uint8Array): boolean {
    const { ask, answer } = this.#options.key
    if (askSchema.safeParse(decodeJson(body)).data?.ask !== ask) return false
    socket.write(encodeFrame(JSON.stringify({ answer })))
    return true
  }

  async #answer(socket: Socket, message: unknown): Promise<void> {
    try {
      const request = handOffRequestSchema.safeParse(message)
      if (!request.success) throw new ArgsError([{ path: '', problem: 'the hand-off is not a launch' }])
      const offer = this.#offers.offer(request.data.launch)
      // A closed connection emits no further event.
      if (socket.destroyed) return offer.gone()
      socket.once('close', () => offer.gone())
      const ticket = await offer.ticket
      const { waits, notice: early } = ticket
      const accepted = { status: 'accepted', pid: process.pid, waits } as const
      if (!waits)
        return this.#sendLast(socket, { ...accepted, ...(early !== undefined && { notice: early }) }, () =>
          offer.told(),
        )
      const deadline = destroyWithin(socket, this.#options.lastAnswersMs)
      send(socket, accepted, () => {
        clearTimeout(deadline)
        offer.told()
      })
      this.#sendLast(socket, { status: 'completed', ...(await ticket.completed) })
    } catch (error) {
      this.#sendLast(socket, refusalOf(error))
    }
  }

  /** Sends an answer and ends the connection, even if the other side keeps it open. */
  #sendLast(socket: Socket, answer: HandOffOutcome, onWritten?: () => void): void {
    if (socket.destroyed) return
    send(socket, answer, onWritten)
    socket.end()
    destroyWithin(socket, this.#options.lastAnswersMs)
  }
}

/** What is no JSON comes from a client, which gets the answer of the pipe. */
function isLaunch(body: Uint8Array): boolean {
  try {
    return Object.hasOwn(Object(decodeJson(body)), 'launch')
  } catch {
    return false
  }
}

/** @param onWritten called only when the operating system has the whole answer */
function send(socket: Socket, answer: HandOffOutcome, onWritten?: () => void): void {
  if (socket.destroyed) return
  socket.write(encodeFrame(JSON.stringify(answer)), error => {
    if (!error) onWritten?.()
  })
}

function destroyWithin(socket: Socket, ms: number): NodeJS.Timeout {
  const timer = setTimeout(() => socket.destroy(), ms)
  socket.once('close', () => clearTimeout(timer))
  return timer
}

/**
 * Something failed that should not have: the program or the service does not know the failure. The log has its kind.
 *
 * @remedy Report it, with the lines of the log at that time.
 * @retry once
 * @seenBy operator, integrator, administrator
 */
const internal = { code: 'ERR_INTERNAL', message: 'The wrapper that runs failed to take the launch.' }

function refusalOf(error: unknown): HandOffOutcome {
  if (isServiceLinkError(error)) {
    const { code, message, docsUrl } = error
    return { status: 'refused', code, message, docsUrl }
  }
  return { status: 'refused', ...internal, docsUrl: docsUrlOf(internal.code) }
}
