import { connect } from 'node:net'

/** Longest wait for a connection to open, in milliseconds. */
const openTimeoutMs = 2_000

/**
 * Whether somebody answers at an address and lets this user in. Connects and goes away without a request, which a
 * wrapper takes for normal.
 */
export function isServed(address: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(address)
    const settle = (served: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(served)
    }
    const timer = setTimeout(() => settle(true), openTimeoutMs)
    socket.on('connect', () => settle(socket.writable))
    // A queue that is full has somebody at its end.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => settle(code === 'EAGAIN' || code === 'EBUSY'))
  })
}
