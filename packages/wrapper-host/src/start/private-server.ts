import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { WrapperKey } from '@service-link/pipe-client/running'
import { ArgsError, isServiceLinkError, launchSchema, ServiceLinkError } from '@service-link/protocol-core'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import { z } from 'zod'
import { instanceFileError, isTaken } from '../files/access.ts'
import { LaunchOffers, type TakeLaunch } from '../launch/launch-offers.ts'
import type { HandOffAnswer } from './hand-off.ts'

/** Something that is not this user's wrapper sits at the address of the private socket. */
export class HandOffTakenError extends ServiceLinkError<'ERR_HAND_OFF_TAKEN'> {
  readonly code = 'ERR_HAND_OFF_TAKEN'
  readonly address: string

  constructor(address: string) {
    super(
      `Something that is not this user’s wrapper sits at ${address}. Nothing else should: report it to the administrator of this machine.`,
    )
    this.address = address
  }
}

/**
 * Serves a proven connection whose first message is no launch.
 *
 * @param decoder has the stream so far
 * @param bodies came by now, the first message first
 */
export type ServeClient = (socket: Socket, decoder: FrameDecoder, bodies: readonly Uint8Array[]) => void

/** Options of {@link PrivateServer}. */
export interface PrivateServerOptions {
  /** What proves the two sides to each other. */
  readonly key: WrapperKey
  readonly take: TakeLaunch
  /** Default: such a message is refused. */
  readonly serve?: ServeClient | undefined
  /** How long a connection may take to send its first message, in milliseconds. Default 10,000. */
  readonly requestLimitMs?: number
  /**
   * How long an answer may take to be written, or to be given when the wrapper closes, and a connection to end after its
   * last answer, in milliseconds. Default 2,000.
   */
  readonly lastAnswersMs?: number
}

const askSchema = z.strictObject({ ask: z.string() })
const requestSchema = z.object({ launch: launchSchema })

/**
 * Listens at the wrapper's private address. A connection that does not send the key's first secret is closed without a
 * word. After the proof it carries one launch of another process, or is a client's. A launch is taken at most once, and
 * carried out only when its process was told so: see {@link LaunchOffers}.
 */
export class PrivateServer implements AsyncDisposable {
  readonly #offers: LaunchOffers
  readonly #options: PrivateServerOptions
  readonly #requestLimitMs: number
  readonly #lastAnswersMs: number
  readonly #server: Server
  /** Connections that are not a client's. */
  readonly #sockets = new Set<Socket>()
  readonly #answering = new Set<Promise<void>>()

  private constructor(options: PrivateServerOptions) {
    this.#options = options
    this.#offers = new LaunchOffers(options.take)
    this.#requestLimitMs = options.requestLimitMs ?? 10_000
    this.#lastAnswersMs = options.lastAnswersMs ?? 2000
    this.#server = createServer({ allowHalfOpen: true }, socket => this.#accept(socket))
  }

  /**
   * Binds the address. The caller holds the instance's lock, so a socket file that is there was left by a wrapper that is
   * gone.
   *
   * @throws {HandOffTakenError} when something else is there, or listens there all the same
   * @throws {PrivateFolderError} when the socket there cannot be removed, or nothing can be bound there
   */
  static async listen(address: string, options: PrivateServerOptions): Promise<PrivateServer> {
    const server = new PrivateServer(options)
    try {
      if (process.platform !== 'win32') await removeLeftover(address)
      await server.#bind(address)
    } catch (error) {
      if (error instanceof HandOffTakenError) throw error
      if (isTaken(error)) throw new HandOffTakenError(address)
      throw instanceFileError(address, 'the hand-off socket', error)
    }
    return server
  }

  #bind(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ path: address, backlog: 511 }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  /**
   * Takes no further connection. Launches that wait for their end have failed by then, and are told so before their
   * connection ends: one that ended without a word would be offered again, and begin another wrapper. Clients stay.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    await Promise.race([Promise.all(this.#answering), wait(this.#lastAnswersMs, undefined, { ref: false })])
    const closed = [...this.#sockets].map(
      socket => new Promise<void>(resolve => void socket.once('close', () => resolve())),
    )
    for (const socket of this.#sockets) {
      destroyWithin(socket, this.#lastAnswersMs)
      socket.destroySoon()
    }
    await Promise.all(closed)
  }

  #accept(socket: Socket): void {
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    this.#sockets.add(socket)
    const deadline = destroyWithin(socket, this.#requestLimitMs)
    const forget = () => this.#sockets.delete(socket)
    let isProven = false
    const onData = (chunk: Uint8Array) => {
      let bodies: Uint8Array[]
      try {
        bodies = decoder.push(chunk)
        const first = isProven ? undefined : bodies.shift()
        if (first && !this.#prove(socket, first)) {
          socket.destroy()
          return
        }
        isProven ||= first !== undefined
      } catch (error) {
        stop()
        // A side that has not proven itself is told nothing.
        if (!isProven) socket.destroy()
        socket.resume()
        this.#sendLast(socket, refusalOf(error))
        return
      }
      if (bodies[0]) {
        clearTimeout(deadline)
        stop()
        this.#begin(socket, decoder, bodies, forget)
      }
    }
    const onEnd = () => socket.destroy()
    const stop = () => socket.off('data', onData).off('end', onEnd)
    socket.on('close', forget)
    socket.on('error', () => socket.destroy())
    socket.on('data', onData)
    socket.on('end', onEnd)
  }

  #begin(socket: Socket, decoder: FrameDecoder, bodies: readonly Uint8Array[], forget: () => void): void {
    const [body = new Uint8Array()] = bodies
    let message: unknown
    try {
      message = decodeJson(body)
    } catch (error) {
      socket.resume()
      this.#sendLast(socket, refusalOf(error))
      return
    }
    const { serve } = this.#options
    if (serve && !Object.hasOwn(Object(message), 'launch')) {
      forget()
      serve(socket, decoder, bodies)
      return
    }
    socket.resume()
    const answering = this.#answer(socket, message).finally(() => this.#answering.delete(answering))
    this.#answering.add(answering)
  }

  /** @returns whether the other side may be answered at all */
  #prove(socket: Socket, body: Uint8Array): boolean {
    const { ask, answer } = this.#options.key
    if (askSchema.safeParse(decodeJson(body)).data?.ask !== ask) return false
    socket.write(encodeFrame(JSON.stringify({ answer })))
    return true
  }

  async #answer(socket: Socket, message: unknown): Promise<void> {
    try {
      const request = requestSchema.safeParse(message)
      if (!request.success) throw new ArgsError([{ path: '', problem: 'the hand-off is not a launch' }])
      const offer = this.#offers.offer(request.data.launch)
      // A closed connection emits nothing any more.
      if (socket.destroyed) return offer.gone()
      socket.once('close', () => offer.gone())
      const ticket = await offer.ticket
      const accepted = { status: 'accepted', pid: process.pid, waits: ticket.waits } as const
      if (!ticket.waits) return this.#sendLast(socket, accepted, () => offer.told())
      const deadline = destroyWithin(socket, this.#lastAnswersMs)
      send(socket, accepted, () => {
        clearTimeout(deadline)
        offer.told()
      })
      const notice = await ticket.completed
      this.#sendLast(socket, { status: 'completed', ...(notice === undefined ? {} : { notice }) })
    } catch (error) {
      this.#sendLast(socket, refusalOf(error))
    }
  }

  /** Ends the connection too, whatever the other side does with it. */
  #sendLast(socket: Socket, answer: HandOffAnswer, onWritten?: () => void): void {
    if (socket.destroyed) return
    send(socket, answer, onWritten)
    socket.end()
    destroyWithin(socket, this.#lastAnswersMs)
  }
}

/** @throws {HandOffTakenError} when it is no socket of this user */
async function removeLeftover(address: string): Promise<void> {
  const found = lstatSync(address, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket() || found.uid !== process.getuid?.()) throw new HandOffTakenError(address)
  await rm(address, { force: true })
}

/** @param onWritten called when the operating system has the whole answer, and not at all when it did not take it */
function send(socket: Socket, answer: HandOffAnswer, onWritten?: () => void): void {
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

function refusalOf(error: unknown): HandOffAnswer {
  if (isServiceLinkError(error)) return { status: 'refused', code: error.code, message: error.message }
  return {
    status: 'refused',
    code: 'ERR_INTERNAL',
    message: 'The wrapper that runs failed to take the launch.',
  }
}
