import { AsyncLocalStorage } from 'node:async_hooks'
import { ClosingError, defineError, SupersededError } from '@service-link/protocol-core/errors'
import { waitFor } from '@service-link/protocol-core/time'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { isOtherPerson, type PersonIds } from '../web-app/page/messages.ts'

interface LaneOptions extends Partial<TurnOptions> {
  /** Gives up a piece that has not begun. A piece that has begun must observe the signal itself. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs pieces of work one after the other: a launch, or a pipe command that changes the view. Clients take turns; the pieces of one
 * client run in the order in which they were added.
 */
export class SerialLane {
  readonly #waiting = new Turns<() => Promise<void>>()
  readonly #closing = new AbortController()
  /** How to give up each piece. A listener of its own on {@link signal} would cost more the more there are. */
  readonly #unfinished = new Set<() => void>()
  #isRunning = false
  /** Tells the piece that lends its turn of a new one that is alone. */
  #added = Promise.withResolvers<void>()

  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /** Adds a piece of work. Without a client, it counts as a client of its own. */
  add<Result>(
    work: () => Promise<Result>,
    { signal, client = {}, isAlone = false }: LaneOptions = {},
  ): Promise<Result> {
    for (const limit of [this.signal, signal]) if (limit?.aborted) return Promise.reject(limit.reason)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    // The debug log knows by its context what caused a piece.
    const piece = AsyncLocalStorage.bind(async () => {
      try {
        resolve(await work())
      } catch (error) {
        reject(error)
      }
      forget()
    })
    const leave = this.#waiting.add(piece, { client, isAlone })
    const giveUp = () => {
      leave()
      forget()
      reject(this.signal.aborted ? this.signal.reason : signal?.reason)
    }
    const forget = () => {
      this.#unfinished.delete(giveUp)
      signal?.removeEventListener('abort', giveUp)
    }
    this.#unfinished.add(giveUp)
    signal?.addEventListener('abort', giveUp)
    if (isAlone) this.#added.resolve()
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /**
   * Waits within the piece that has the turn. Meanwhile it lends the turn to pieces that are alone, in their order, for each as long
   * as the wait is not over.
   *
   * @param isOver whether there is nothing to wait for
   * @param waiting begins the wait
   * @returns whether another piece had the turn
   */
  async lend(isOver: () => boolean, waiting: () => Promise<void>): Promise<boolean> {
    let hasLent = false
    const ended = waiting()
    ended.catch(() => undefined)
    let isEnded = false
    const end = () => {
      isEnded = true
    }
    const ending = ended.then(end, end)
    while (!isOver() && !isEnded) {
      const piece = this.#waiting.nextAlone()
      if (piece) {
        hasLent = true
        await piece()
      } else {
        this.#added = Promise.withResolvers()
        await Promise.race([ending, this.#added.promise])
      }
    }
    await ended
    return hasLent
  }

  /** Begins no further piece. Waiting ones fail with {@link ClosingError}. */
  close(): void {
    this.#closing.abort(new ClosingError())
    for (const giveUp of this.#unfinished) giveUp()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // A piece never begins during `add`.
    await undefined
    for (let piece = this.#waiting.take(); piece; piece = this.#waiting.take()) await piece()
    this.#isRunning = false
  }
}

interface TurnOptions {
  /** Any object that stands for the client. */
  readonly client: object
  /** Whether the piece keeps its place among those of all clients. Only {@link SerialLane.lend} lets it go before others. */
  readonly isAlone?: boolean
}

interface Round<Piece> {
  readonly isAlone: boolean
  /** The first has the next turn. */
  readonly queues: Map<object, Set<Piece>>
}

/**
 * Pieces that wait. Clients take turns, so that a client with many pieces delays another by one. The pieces of one client keep their
 * order.
 */
export class Turns<Piece> {
  readonly #rounds: Round<Piece>[] = []
  /** Client of the last turn. */
  #served: object | undefined

  /** Adds a piece. The function returned removes it if it still waits. */
  add(piece: Piece, { client, isAlone = false }: TurnOptions): () => void {
    let round = this.#rounds.at(-1)
    if (!round || isAlone || round.isAlone) {
      round = { isAlone, queues: new Map() }
      this.#rounds.push(round)
    }
    const { queues } = round
    const pieces = queues.get(client) ?? new Set()
    queues.set(client, pieces.add(piece))
    return () => {
      pieces.delete(piece)
      if (pieces.size === 0 && queues.get(client) === pieces) queues.delete(client)
    }
  }

  /** Takes out the first piece that is alone; `undefined` when none waits. */
  nextAlone(): Piece | undefined {
    for (const { isAlone, queues } of this.#rounds)
      for (const [client, pieces] of isAlone ? queues : []) {
        queues.delete(client)
        for (const piece of pieces) return piece
      }
    return undefined
  }

  /** Takes out the next piece; `undefined` when none waits. Call it when the former one is done. */
  take(): Piece | undefined {
    while (this.#rounds[0]?.queues.size === 0) this.#rounds.shift()
    const queues = this.#rounds[0]?.queues ?? new Map<object, Set<Piece>>()
    // The client of the last turn goes behind the others.
    const rest = this.#served && queues.get(this.#served)
    if (this.#served && rest) {
      queues.delete(this.#served)
      queues.set(this.#served, rest)
    }
    const [client, pieces] = queues.entries().next().value ?? []
    this.#served = client
    for (const piece of pieces ?? []) {
      pieces?.delete(piece)
      if (client && pieces?.size === 0) queues.delete(client)
      return piece
    }
    return undefined
  }
}

/**
 * A launch was not carried out: its user has signed out, or the session ran out. It is not carried out for the next user.
 *
 * @remedy Open the person again as the user who is signed in now.
 * @retry yes, for the next user
 * @seenBy user, partner's developer
 */
export class SignedOutError extends defineError(
  'ERR_SIGNED_OUT',
  'The user of the web app has signed out before this was done.',
) {}

type SignedInWindow = Pick<HostedWindow, 'bridge' | 'signIn'>

/** Whether the present page has a signed-in user. The user of a page that is being signed out does not count. */
export function isSignedIn({ bridge, signIn }: SignedInWindow): boolean {
  return bridge.state.isSignedIn && signIn.isSignedIn
}

export async function untilPage(
  opened: SignedInWindow,
  isThere: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => isThere() && resolve()
  const stops = [opened.bridge.on('stateChanged', look), opened.signIn.on('changed', look)]
  look()
  try {
    await waitFor(promise, signal)
  } finally {
    for (const stop of stops) stop()
  }
}

/** The tie of a piece of work to a session, until its disposal. */
export interface SessionTie extends Disposable {
  /** Aborts at the end of the session that the work belongs to, and at the end of the wrapper. */
  readonly signal: AbortSignal
  /** Notes that the work has signed its employee on. It belongs to that session now. */
  signedOn(): void
  /** Notes that the page has begun the work. It belongs to the present session now. */
  begun(): void
  /** Notes that who was in focus before the work has left it: earlier ends are done. */
  replaced(): void
  /** Notes that the page has drawn who was to come into focus. A later choice does not take its place any more. */
  drawn(): void
}

/** Who is to come into focus, or to leave it. Without an id: anybody. */
export type FocusChange = PersonIds & {
  /** Whether the person is to leave the focus. */
  readonly isEnd?: boolean
}

interface Entry {
  isSigningOn: boolean
  isTied: boolean
  /** What the work is to change of the focus, and has not. */
  focus: FocusChange | undefined
  readonly controller: AbortController
  readonly reason: () => Error
}

/**
 * Ties work to the session of one user, so that it is not done for another, and to the choice of one person, so that it is not done
 * after a later one. Work that comes while a user is signed in belongs to that session, other work to the next one. Work behind a
 * sign-on of an employee belongs to that employee's session.
 */
export class SessionTies {
  readonly #entries = new Set<Entry>()
  #signingOnCount = 0
  #signIn: HostedWindow['signIn'] | undefined

  /** Follows who is signed in; until then, nobody is. */
  follow(signIn: HostedWindow['signIn']): void {
    this.#signIn = signIn
    signIn.on('changed', ({ isSignedIn }) => (isSignedIn ? this.#tieAll() : this.#endSession()))
    this.#tieAll()
  }

  /** @param focus it takes the place of earlier work whose effect nobody has seen */
  add({ isSigningOn, reason, focus }: Pick<Entry, 'isSigningOn' | 'reason' | 'focus'>): SessionTie {
    if (focus) this.supersede(focus)
    const entry: Entry = { isSigningOn, isTied: false, focus, controller: new AbortController(), reason }
    this.#entries.add(entry)
    if (isSigningOn) this.#signingOnCount++
    else entry.isTied = this.#signIn?.isSignedIn === true && this.#signingOnCount === 0
    return {
      signal: entry.controller.signal,
      signedOn: () => this.#noteSignedOn(entry),
      begun: () => {
        entry.isTied = true
      },
      replaced: () => this.#endBefore(entry),
      drawn: () => {
        entry.focus = undefined
        this.#endBefore(entry)
      },
      [Symbol.dispose]: () => {
        if (this.#entries.delete(entry)) this.#noteSignedOn(entry)
      },
    }
  }

  /**
   * Fails earlier selections that are not drawn. The end of one person leaves those of others alone. An earlier end stays: the later
   * choice may be refused, and the person who was to leave must not stay.
   */
  supersede(later: FocusChange = {}): void {
    for (const entry of this.#entries) {
      if (!entry.focus || entry.focus.isEnd || (later.isEnd && isOtherPerson(entry.focus, later))) continue
      entry.focus = undefined
      entry.controller.abort(new SupersededError())
    }
  }

  /** Whether an employee is being signed on, whose person may come into focus. */
  get isSigningOn(): boolean {
    return this.#signingOnCount > 0
  }

  /** Fails all that {@link supersede} fails, and earlier sign-ons: nobody is to be shown after a sign-out. */
  signOut(): void {
    this.supersede()
    for (const { isSigningOn, controller } of this.#entries)
      if (isSigningOn) controller.abort(new SupersededError())
  }

  close(reason: Error): void {
    for (const { controller } of this.#entries) controller.abort(reason)
  }

  /** An end that has waited longer than a selection must not clear its person. */
  #endBefore(later: Entry): void {
    if (!this.#entries.has(later)) return
    for (const entry of this.#entries) {
      if (entry === later) return
      if (entry.focus?.isEnd) entry.controller.abort(entry.reason())
    }
  }

  #noteSignedOn(entry: Entry): void {
    if (!entry.isSigningOn) return
    entry.isSigningOn = false
    this.#signingOnCount--
    this.#tieAll()
  }

  #tieAll(): void {
    if (!this.#signIn?.isSignedIn) return
    for (const entry of this.#entries) {
      if (entry.isSigningOn) return
      entry.isTied = true
    }
  }

  #endSession(): void {
    for (const { isTied, controller, reason } of this.#entries) if (isTied) controller.abort(reason())
  }
}
