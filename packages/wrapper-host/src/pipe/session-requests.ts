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

/** The requests of one connection that are in flight. An id is taken from the request on until its answer. */
export class SessionRequests {
  readonly #inFlight = new Map<SessionId, InFlight>()

  get size(): number {
    return this.#inFlight.size
  }

  has(id: SessionId): boolean {
    return this.#inFlight.has(id)
  }

  /** Begins a request, whose id is not in flight. */
  begin(id: SessionId): SessionRequest {
    const controller = new AbortController()
    const request: InFlight = { id, controller, signal: controller.signal }
    this.#inFlight.set(id, request)
    return request
  }

  /**
   * Ends a request that was carried out or has failed.
   *
   * @returns whether it is to be answered; not when it was given up before, even if its id was taken anew
   */
  end(request: SessionRequest): boolean {
    return this.#inFlight.get(request.id) === request && this.#inFlight.delete(request.id)
  }

  /**
   * Gives a request up.
   *
   * @returns what it fails with; `undefined` when there is none of that id
   */
  cancel(id: SessionId): ServiceLinkError | undefined {
    const request = this.#inFlight.get(id)
    if (!request) return undefined
    const reason = new CancelledError()
    this.#inFlight.delete(id)
    request.controller.abort(reason)
    return reason
  }

  /**
   * Gives all up.
   *
   * @returns their ids
   */
  cancelAll(reason: Error): readonly SessionId[] {
    const requests = [...this.#inFlight.values()]
    this.#inFlight.clear()
    for (const { controller } of requests) controller.abort(reason)
    return requests.map(({ id }) => id)
  }
}
