import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ArgsError, isServiceLinkError, launchSchema } from '@service-link/protocol-core'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import { z } from 'zod'
import { HandOffTakenError } from './hand-off-address.ts'
import type { HandOffAnswer, HandOffProof } from './hand-off-message.ts'
import { isTaken } from './is-taken.ts'
import { LaunchOffers, type TakeLaunch } from './launch-offers.ts'
import { instanceFileError } from './private-folder.ts'

const askSchema = z.strictObject({ ask: z.string() })
const requestSchema = z.object({ launch: launchSchema })

/** Options of a {@link HandOffServer}: its bounds, and whom it serves. */
export interface HandOffLimits {
  /** How long a connection may take to send its launch, in milliseconds. Default 10,000. */
  readonly requestLimitMs?: number
  /**
   * How long an answer may take to be written, or to be given when the wrapper closes, and a connection to end after its
   * last answer, in milliseconds. Default 2,000.
   */
  readonly lastAnswersMs?: number
  /** What a launching process has to know, and is told in return, before its launch is read. Default: nothing. */
  readonly proof?: HandOffProof
}

/**
 * Listens for launches of other processes. Each is taken at most once, and carried out only when its process was told so: see
 * {@link LaunchOffers}.
 */
export class HandOffServer implements AsyncDisposable {
  readonly #offers: LaunchOffers
  readonly #requestLimitMs: number
  readonly #lastAnswersMs: number
  readonly #proof: HandOffProof | undefined
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answering = new Set<Promise<void>>()

  private constructor(take: TakeLaunch, limits: HandOffLimits) {
    this.#offers = new LaunchOffers(take)
    this.#requestLimitMs = limits.requestLimitMs ?? 10_000
    this.#lastAnswersMs = limits.lastAnswersMs ?? 2000
    this.#proof = limits.proof
    this.#server = createServer({ allowHalfOpen: true }, socket => this.#serve(socket))
  }

  /**
   * Binds the address. The caller holds the instance's lock, so a socket file that is there was left by a wrapper that is
   * gone.
   *
   * @throws {HandOffTakenError} when something listens there all the same
   * @throws {PrivateFolderError} when what is there cannot be removed, or nothing can be bound there
   */
  static async listen(address: string, take: TakeLaunch, limits: HandOffLimits = {}): Promise<HandOffServer> {
    const handOff = new HandOffServer(take, limits)
    try {
      if (process.platform !== 'win32') await rm(address, { force: true })
      await handOff.#bind(address)
    } catch (error) {
      if (isTaken(error)) throw new HandOffTakenError(address)
      throw instanceFileError(address, 'the hand-off socket', error)
    }
    return handOff
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
   * Takes no further launch. Launches that wait for their end have failed by then, and are told so before their connection
   * ends: one that ended without a word would be offered again, and begin another wrapper.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    await Promise.race([Promise.all(this.#answering), wait(this.#lastAnswersMs, undefined, { ref: false })])
    for (const socket of this.#sockets) {
      destroyWithin(socket, this.#lastAnswersMs)
      socket.destroySoon()
    }
    await closed
  }

  #serve(socket: Socket): void {
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    this.#sockets.add(socket)
    const deadline = destroyWithin(socket, this.#requestLimitMs)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let isProven = this.#proof === undefined
    socket.on('data', (chunk: Uint8Array) => {
      let body: Uint8Array | undefined
      try {
        const bodies = decoder.push(chunk)
        if (!isProven && bodies[0]) {
          if (!this.#prove(socket, bodies[0])) return socket.destroy()
          isProven = true
          bodies.shift()
        }
        body = bodies[0]
      } catch (error) {
        socket.removeAllListeners('data').resume()
        return this.#sendLast(socket, refusalOf(error))
      }
      if (!body) return
      clearTimeout(deadline)
      socket.removeAllListeners('data').resume()
      const answering = this.#answer(socket, body).finally(() => this.#answering.delete(answering))
      this.#answering.add(answering)
    })
    socket.on('end', () => {
      if (socket.listenerCount('data') > 0) socket.destroy()
    })
  }

  /** @returns whether the other side may be answered at all */
  #prove(socket: Socket, body: Uint8Array): boolean {
    const asked = askSchema.safeParse(decodeJson(body))
    if (!this.#proof || asked.data?.ask !== this.#proof.ask) return false
    socket.write(encodeFrame(JSON.stringify({ answer: this.#proof.answer })))
    return true
  }

  async #answer(socket: Socket, body: Uint8Array): Promise<void> {
    try {
      const request = requestSchema.safeParse(decodeJson(body))
      if (!request.success) throw new ArgsError([{ path: '', problem: 'the hand-off is not a launch' }])
      const offer = this.#offers.offer(request.data.launch)
      // One that is closed by now emits nothing any more.
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
