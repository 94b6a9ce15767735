import { bridgeProtocol } from './page/messages.ts'

/**
 * Source of the page script: a function expression that an engine calls, before the page's own scripts and only in pages
 * that may talk to the host, with one argument, `send(value)`. It leaves `globalThis.__wrapperHost`, which the page's
 * `connectHost` and the engine's `call` find.
 */
export function pageScript(): string {
  return `send => {
  let receiver
  const port = {
    protocol: ${bridgeProtocol},
    send,
    connect(receive) {
      if (receiver) throw new Error('This document is connected to the host already: disconnect first.')
      receiver = receive
      return () => { if (receiver === receive) receiver = undefined }
    },
    async receive(message) {
      return receiver ? receiver(message) : { type: 'notConnected' }
    },
  }
  Object.defineProperty(globalThis, '__wrapperHost', { value: Object.freeze(port) })
}`
}
