import { type Launch, ServiceLinkError } from '@service-link/protocol-core'

/** A launch that was taken. */
export interface LaunchTicket {
  /** Whether the launching process asked to be told of the end. */
  readonly waits: boolean
  /**
   * Settles when the web app has taken all commands of the launch, or one failed, or `answered` rejected; with a sentence when
   * something was left that should have been cleared up.
   */
  readonly completed: Promise<string | undefined>
}

/**
 * Takes a launch or throws. A launch that it takes will be carried out, in the order in which launches were taken, but not
 * before `answered` resolves, and never when that rejects.
 *
 * @param answered resolves when the launching process was told that its launch is taken; rejects with
 *   {@link LauncherGoneError} when it can no longer be told. Not given for a launch that nobody else could offer again.
 * @throws {ServiceLinkError} whose code and message are given to the launching process
 */
export type TakeLaunch = (launch: Launch, answered?: Promise<void>) => Promise<LaunchTicket>

/** The launching process was gone before it could be told that its launch is taken, so the launch is not carried out. */
export class LauncherGoneError extends ServiceLinkError<'ERR_LAUNCHER_GONE'> {
  readonly code = 'ERR_LAUNCHER_GONE'

  constructor() {
    super('The launching process was gone before it could be told that its launch is taken.')
  }
}

/** One connection's offer of a launch. Of {@link told} and {@link gone}, the first that is called counts. */
export interface LaunchOffer {
  /** Rejects when the launch is refused; the offer is then over. */
  readonly ticket: Promise<LaunchTicket>
  /** The answer was handed to the operating system. */
  told(): void
  /** The connection ended before that. */
  gone(): void
}

interface OfferedLaunch {
  readonly ticket: Promise<LaunchTicket>
  readonly answered: PromiseWithResolvers<void>
  /** Connections that wait for the answer. */
  waiting: number
}

/** How many launches that were answered are remembered by their id. */
const rememberedLaunches = 10_000

/**
 * Launches that are offered by other processes, each taken once by its id. What makes a launch be carried out at most once,
 * whoever is killed when:
 *
 * 1. It is carried out only after an answer for it was handed to the operating system, which delivers what was written
 *    before a connection's end. So a launching process that saw no answer knows: nothing was done, and nothing will be.
 * 2. A launching process that saw `accepted` never offers the launch again.
 * 3. Where every connection that offered a launch ended without an answer, the launch is dropped for good, and its id is
 *    free: the next offer under that id is a new one, here or with the next wrapper.
 * 4. While one of them is open the id is known, so that two connections under one id share one launch; and it stays known
 *    after the answer, should an answer be lost all the same.
 *
 * What is remembered is bounded: launches without an answer by the connections that wait for it, the others by number.
 */
export class LaunchOffers {
  readonly #take: TakeLaunch
  readonly #remembered: number
  readonly #open = new Map<string, OfferedLaunch>()
  readonly #answered = new Map<string, OfferedLaunch>()

  constructor(take: TakeLaunch, remembered: number = rememberedLaunches) {
    this.#take = take
    this.#remembered = remembered
  }

  /** Begins to take a launch, or joins the one that has its id. */
  offer(launch: Launch): LaunchOffer {
    const { id } = launch
    const offered = this.#answered.get(id) ?? this.#open.get(id) ?? this.#begin(launch)
    offered.waiting += 1
    let isOver = false
    const settle = (end: () => void) => {
      if (isOver) return
      isOver = true
      offered.waiting -= 1
      end()
    }
    return {
      ticket: offered.ticket,
      told: () => settle(() => this.#remember(id, offered)),
      gone: () => settle(() => this.#drop(id, offered)),
    }
  }

  #begin(launch: Launch): OfferedLaunch {
    const answered = Promise.withResolvers<void>()
    answered.promise.catch(() => undefined)
    const ticket = this.#take(launch, answered.promise)
    const offered = { ticket, answered, waiting: 0 }
    this.#open.set(launch.id, offered)
    // Who does not wait for the end does not hear of a failure; the wrapper reports it.
    ticket
      .then(({ completed }) => completed.catch(() => undefined))
      .catch(() => this.#forget(launch.id, offered))
    return offered
  }

  #remember(id: string, offered: OfferedLaunch): void {
    this.#forget(id, offered)
    this.#answered.set(id, offered)
    const [oldest] = this.#answered.keys()
    if (this.#answered.size > this.#remembered && oldest !== undefined) this.#answered.delete(oldest)
    offered.answered.resolve()
  }

  #drop(id: string, offered: OfferedLaunch): void {
    if (offered.waiting > 0 || this.#answered.get(id) === offered) return
    this.#forget(id, offered)
    offered.answered.reject(new LauncherGoneError())
  }

  /** An id that was dropped may be another launch's by now. */
  #forget(id: string, offered: OfferedLaunch): void {
    if (this.#open.get(id) === offered) this.#open.delete(id)
  }
}
