import { bridgeProtocol } from './page/messages.ts'

/** Longest time that a page needs to save after an input, in milliseconds. */
const savingMs = 10_000

/**
 * Source of the page script: a function expression that an engine calls with `send(value)`, before the page's own scripts and only
 * in pages that may talk to the host. It leaves `globalThis.__wrapperHost` for the page's `connectHost` and the engine's `call`.
 */
export function pageScript(): string {
  return `send => {
  let receiver
  let objects
  let lastInput = -Infinity
  const noteInput = () => { lastInput = performance.now() }
  // The question that the browser asks the page's handlers before the page goes away. They may do more than answer, so it is
  // asked once, and while the user works on: what is saved then takes a while.
  const isUnsaved = () => {
    const isFirst = objects === undefined
    if (isFirst)
      for (const name of ['pointerdown', 'keydown']) addEventListener(name, noteInput, { capture: true, passive: true })
    if (isFirst || performance.now() - lastInput < ${savingMs}) objects = ask()
    return { type: 'result', value: objects }
  }
  const ask = () => {
    const event = document.createEvent('BeforeUnloadEvent')
    event.initEvent('beforeunload', false, true)
    dispatchEvent(event)
    return event.defaultPrevented || event.returnValue !== ''
  }
  const port = {
    protocol: ${bridgeProtocol},
    send,
    connect(receive) {
      if (receiver) throw new Error('This document is connected to the host already.')
      receiver = receive
    },
    async receive(message) {
      if (message.type === 'unsaved') return isUnsaved()
      return receiver ? receiver(message) : { type: 'notConnected' }
    },
  }
  Object.defineProperty(globalThis, '__wrapperHost', { value: Object.freeze(port) })
}`
}
