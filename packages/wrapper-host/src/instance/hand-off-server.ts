import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ArgsError, isServiceLinkError, type Launch, launchSchema } from '@service-link/protocol-core'
import {
  decodeJson,
  encodeFrame,
  FrameDecoder,
  maxRequestFrameBytes,
} from '@service-link/protocol-core/frame'
import { z } from 'zod'
import type { HandOffAnswer } from './hand-off-message.ts'
import { instanceFileError } from './private-folder.ts'

/** A launch that was taken. */
export interface LaunchTicket {
  /** Whether the launching process asked to be told of the end. */
  readonly waits: boolean
  /** Settles when the web app has taken all commands of the launch, or one failed. */
  readonly completed: Promise<void>
}

/**
 * Takes a launch or throws. A launch that it takes will be carried out, in the order in which launches were taken.
 *
 * @throws {ServiceLinkError} whose code and message are given to the launching process
 */
export type TakeLaunch = (launch: Launch) => Promise<LaunchTicket>

const requestSchema = z.object({ launch: launchSchema })

/** How long a connection may stay without having sent its launch, in milliseconds. */
const silenceLimitMs = 10_000

/** Longest wait for the last answers when the wrapper closes, in milliseconds. */
const lastAnswersMs = 2000

/** Listens for launches of other processes. Taken ids are remembered, so that one offered twice is taken once. */
export class HandOffServer implements AsyncDisposable {
  readonly #take: TakeLaunch
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answering = new Set<Promise<void>>()
  readonly #taken = new Map<string, Promise<LaunchTicket>>()

  private constructor(take: TakeLaunch) {
    this.#take = take
    this.#server = createServer({ allowHalfOpen: true }, socket => this.#serve(socket))
  }

  /**
   * Binds the address. The caller holds the instance's lock, so a socket file that is there was left by a wrapper that is
   * gone.
   *
   * @throws {PrivateFolderError} when what is there cannot be removed, or nothing can be bound there
   */
  static async listen(address: string, take: TakeLaunch): Promise<HandOffServer> {
    const handOff = new HandOffServer(take)
    try {
      if (process.platform !== 'win32') await rm(address, { force: true })
      await handOff.#bind(address)
    } catch (error) {
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
    await Promise.race([Promise.all(this.#answering), wait(lastAnswersMs, undefined, { ref: false })])
    for (const socket of this.#sockets) socket.destroySoon()
    await closed
  }

  #serve(socket: Socket): void {
    const decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes })
    this.#sockets.add(socket)
    socket.setTimeout(silenceLimitMs, () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Uint8Array) => {
      let body: Uint8Array | undefined
      try {
        body = decoder.push(chunk)[0]
      } catch (error) {
        return send(socket, refusalOf(error), true)
      }
      if (!body) return
      socket.setTimeout(0)
      socket.removeAllListeners('data').resume()
      const answering = this.#answer(socket, body).finally(() => this.#answering.delete(answering))
      this.#answering.add(answering)
    })
    socket.on('end', () => {
      if (socket.listenerCount('data') > 0) socket.destroy()
    })
  }

  async #answer(socket: Socket, body: Uint8Array): Promise<void> {
    try {
      const request = requestSchema.safeParse(decodeJson(body))
      if (!request.success) throw new ArgsError([{ path: '', problem: 'the hand-off is not a launch' }])
      const ticket = await this.#takeOnce(request.data.launch)
      send(socket, { status: 'accepted', pid: process.pid, waits: ticket.waits }, !ticket.waits)
      if (!ticket.waits) return
      await ticket.completed
      send(socket, { status: 'completed' }, true)
    } catch (error) {
      send(socket, refusalOf(error), true)
    }
  }

  #takeOnce(launch: Launch): Promise<LaunchTicket> {
    const known = this.#taken.get(launch.id)
    if (known) return known
    const taking = this.#take(launch)
    this.#taken.set(launch.id, taking)
    const [oldest] = this.#taken.keys()
    if (this.#taken.size > 10_000 && oldest !== undefined) this.#taken.delete(oldest)
    // Who does not wait for the end does not hear of a failure; the wrapper reports it.
    taking.then(ticket => ticket.completed).catch(() => undefined)
    return taking
  }
}

function send(socket: Socket, answer: HandOffAnswer, isLast: boolean): void {
  if (socket.destroyed) return
  socket.write(encodeFrame(JSON.stringify(answer)))
  if (isLast) socket.end()
}

function refusalOf(error: unknown): HandOffAnswer {
  if (isServiceLinkError(error)) return { status: 'refused', code: error.code, message: error.message }
  return {
    status: 'refused',
    code: 'ERR_INTERNAL',
    message: 'The wrapper that runs failed to take the launch.',
  }
}
