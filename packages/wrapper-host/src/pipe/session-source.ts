import type { SessionEvent, SessionStatus } from '@service-link/protocol-core'

/** What clients in session mode are told of the wrapper, whatever it is made of. */
export interface SessionSource {
  /** What is the case now. */
  status(): SessionStatus
  /**
   * Adds a listener to everything that happens from now on; the function returned removes it. After `closing` there is no
   * further event.
   */
  on(listener: (event: SessionEvent) => void): () => void
}
