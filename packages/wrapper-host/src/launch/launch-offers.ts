import { defineError, type Launch } from '@service-link/protocol-core'

export interface LaunchTicket {
  /** Whether the launching process waits for the end. */
  readonly waits: boolean
  /** What the launching program should know at once: which arguments were ignored, how a culture read a date. */
  readonly notice?: string
  /** Resolves when the web app has taken all commands of the launch. Rejects when a command failed or `answered` rejected. */
  readonly completed: Promise<CompletedLaunch>
}

interface CompletedLaunch {
  /** The notice, and sentences about what could not be cleared up. */
  readonly notice?: string | undefined
  /** Number of the focus on its person, whom the web app has drawn. */
  readonly focusNumber?: number | undefined
}

/**
 * Takes a launch or refuses it with a `ServiceLinkError`. Taken launches are carried out in order, each after `answered` resolves:
 * the launching process has its answer then. If it rejects, the launch is dropped. The wrapper's own launch has none.
 */
export type TakeLaunch = (launch: Launch, answered?: Promise<void>) => Promise<LaunchTicket>

/**
 * The launching process ended before it got an answer, so its launch is not carried out.
 *
 * @remedy Launch again, and do not end the launching process before it ends by itself. Nothing was done.
 * @retry yes
 * @seenBy partner's developer
 */
export class LauncherGoneError extends defineError(
  'ERR_LAUNCHER_GONE',
  'The launching process ended before it could be told that its launch is taken.',
) {}

/** One connection's offer of a launch. Only the first call of {@link told} or {@link gone} counts. */
interface LaunchOffer {
  /** Rejects when the launch is refused, which ends the offer. */
  readonly ticket: Promise<LaunchTicket>
  /** Call it when the operating system has the answer. */
  told(): void
  /** Call it when the connection ends. */
  gone(): void
}

interface OfferedLaunch {
  readonly ticket: Promise<LaunchTicket>
  readonly answered: PromiseWithResolvers<void>
  /** Connections that wait for the answer. */
  waiting: number
}

/** Number of answered launches whose ids are remembered. */
const rememberedLaunches = 10_000

/**
 * Launches of other processes. Each is taken once by its id, and carried out at most once, even if either process is killed:
 *
 * 1. A launch is carried out only after the operating system has the answer, which it delivers before the connection's end. So
 *    without an answer nothing was done, and nothing will be.
 * 2. A process that got `accepted` never offers the launch again.
 * 3. If every connection of a launch ends without an answer, the launch is dropped and its id is free again.
 * 4. Connections with one id share one launch. The id stays known after the answer, in case the answer is lost.
 *
 * Open connections bound the number of unanswered launches. The number of remembered answered launches has a limit.
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
    // A process that does not wait gets no failure. The log has it.
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

  /** A dropped id may belong to another launch by now. */
  #forget(id: string, offered: OfferedLaunch): void {
    if (this.#open.get(id) === offered) this.#open.delete(id)
  }
}
