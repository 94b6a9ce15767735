import { connect } from 'node:net'

/** Whether a process listens at an address. It is connected to and let go; nothing is sent. Never rejects. */
export function isListening(address: string, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(address)
    const finish = (isThere: boolean) => {
      signal.removeEventListener('abort', abort)
      resolve(isThere)
      socket.destroy()
    }
    const abort = () => finish(false)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    socket.once('connect', () => finish(true))
    // One that may not be opened has a listener all the same.
    socket.once('error', error =>
      finish('code' in error && (error.code === 'EACCES' || error.code === 'EPERM')),
    )
  })
}
