import { useEffect, useRef } from 'react'

let stopWaiting: (() => void) | undefined

/**
 * Puts the keyboard on the first element that fits, as soon as the page has it. The user's next key or click ends the
 * wait, and so does the next call.
 *
 * @returns how to stop waiting
 */
export function moveKeyboard(selector: string): () => void {
  stopWaiting?.()
  const user = new AbortController()
  const observer = new MutationObserver(() => find())
  const stop = () => {
    observer.disconnect()
    user.abort()
    if (stopWaiting === stop) stopWaiting = undefined
  }
  const find = () => {
    const element = document.querySelector<HTMLElement>(selector)
    if (!element) return
    stop()
    // A heading takes the keyboard from a script alone.
    if (element.tabIndex < 0) element.tabIndex = -1
    element.focus()
  }
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  for (const event of ['keydown', 'pointerdown'])
    document.addEventListener(event, stop, { capture: true, signal: user.signal })
  stopWaiting = stop
  find()
  return stop
}

/** Puts the keyboard there if it went with what had it, and has no place to go to yet. */
export function catchKeyboard(selector: string): void {
  if (document.activeElement === document.body && !stopWaiting) moveKeyboard(selector)
}

/**
 * When the part goes, moves the keyboard to the selector that the ref has then; without one to the dialog around it or to the
 * page, if the focus went with the part.
 */
export function useKeyboardAfter() {
  const next = useRef<string>(undefined)
  useEffect(
    () => () => {
      if (next.current !== undefined) moveKeyboard(next.current)
      else catchKeyboard('dialog[open] .icon-button, #content')
    },
    [],
  )
  return next
}
