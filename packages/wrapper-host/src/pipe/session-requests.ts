import { CancelledError, type ServiceLinkError, type SessionId } from '@service-link/protocol-core'

/** One request that is being carried out. */
export interface SessionRequest {
  readonly id: SessionId
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

interface InFlight extends SessionRequest {
  readonly controller: AbortController
}

/**
 * The requests of one connection that are in flight. An id is taken from the request on until its answer; a request that was given
 * up is answered, and is counted until nothing of it is at work any more.
 */
export class SessionRequests {
  readonly #unanswered = new Map<SessionId, InFlight>()
  #atWorkCount = 0

  /** Those whose answer is due. */
  get unansweredCount(): number {
    return this.#unanswered.size
  }

  /** Those that were given up, and that something may still be done for. */
  get givenUpCount(): number {
    return this.#atWorkCount - this.#unanswered.size
  }

  /** Whether an id is taken. */
  has(id: SessionId): boolean {
    return this.#unanswered.has(id)
  }

  /** Begins a request, whose id is not in flight; {@link end} has to follow. */
  begin(id: SessionId): SessionRequest {
    const controller = new AbortController()
    const request: InFlight = { id, controller, signal: controller.signal }
    this.#unanswered.set(id, request)
    this.#atWorkCount++
    return request
  }

  /**
   * Notes that a request was carried out or has failed.
   *
   * @returns whether it is to be answered; not when it was given up before, even if its id was taken anew
   */
  settle(request: SessionRequest): boolean {
    return this.#unanswered.get(request.id) === request && this.#unanswered.delete(request.id)
  }

  /** Notes that nothing of a request is at work any more. */
  end(): void {
    this.#atWorkCount--
  }

  /**
   * Gives a request up.
   *
   * @returns what it fails with; `undefined` when there is none of that id
   */
  cancel(id: SessionId): ServiceLinkError | undefined {
    const request = this.#unanswered.get(id)
    if (!request) return undefined
    const reason = new CancelledError()
    this.#unanswered.delete(id)
    request.controller.abort(reason)
    return reason
  }

  /**
   * Gives all up.
   *
   * @returns their ids
   */
  cancelAll(reason: Error): readonly SessionId[] {
    const requests = [...this.#unanswered.values()]
    this.#unanswered.clear()
    for (const { controller } of requests) controller.abort(reason)
    return requests.map(({ id }) => id)
  }
}
