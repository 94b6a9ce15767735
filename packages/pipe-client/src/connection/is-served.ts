import { connect } from 'node:net'

/** Bounds of one {@link isServed}. */
export interface IsServedOptions {
  /** Longest wait for the connection to open, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Whether somebody answers at an address and lets this user in. Connects and goes away without a request, which a
 * wrapper takes for normal. One that takes longer than the time-out counts as somebody.
 *
 * @throws the signal's reason when it is aborted
 */
export async function isServed(address: string, { timeoutMs, signal }: IsServedOptions): Promise<boolean> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      socket.destroy()
    }
    const settle = (served: boolean) => {
      release()
      resolve(served)
    }
    const abort = () => {
      release()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => settle(true), timeoutMs)
    signal?.addEventListener('abort', abort, { once: true })
    socket.on('connect', () => settle(socket.writable))
    // A queue that is full has somebody at its end.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'EAGAIN' || code === 'EBUSY'))
  })
}
