import * as z from 'zod/mini'

const tops = z.catch(z.record(z.string(), z.number()), {})

const scrollers = [':root', '.pane-scroll']

/**
 * Keeps with each entry of the history where its page and its list are scrolled to. The browser forgets it for a list, and for a
 * page whose content comes after a reload. Browsers without the Navigation API stay at the top.
 *
 * @returns how to end it
 */
export function keepScroll(): (() => void) | undefined {
  const { navigation } = window
  if (!navigation) return undefined
  const ending = new AbortController()
  const { signal } = ending
  const keep = ({ target }: Event) => {
    const element = target === document ? document.documentElement : target
    if (!(element instanceof Element)) return
    const scroller = scrollers.find(selector => element.matches(selector))
    if (scroller === undefined) return
    navigation.updateCurrentEntry({ state: { ...readTops(), [scroller]: element.scrollTop } })
  }
  window.addEventListener('scrollend', keep, { capture: true, signal })
  window.addEventListener('popstate', restoreScroll, { signal })
  restoreScroll()
  return () => {
    ending.abort()
    stopWaiting()
  }
}

const readTops = () => tops.parse(window.navigation.currentEntry?.getState())

let stopWaiting = () => {}

/** Scrolls as soon as the content is there, unless the user or another page comes first. */
function restoreScroll(): void {
  stopWaiting()
  const wanted = Object.entries(readTops())
  const entry = window.navigation.currentEntry?.key
  const user = new AbortController()
  const observer = new MutationObserver(() => scroll())
  const stop = () => {
    observer.disconnect()
    user.abort()
  }
  const scroll = () => {
    if (user.signal.aborted || window.navigation.currentEntry?.key !== entry) return stop()
    const isComplete = wanted.map(([selector, top]) => {
      const element = document.querySelector(selector)
      if (element && Math.abs(element.scrollTop - top) > 1) element.scrollTop = top
      return element && element.scrollTop >= top - 1
    })
    if (isComplete.every(Boolean)) stop()
  }
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    window.addEventListener(event, stop, { capture: true, passive: true, signal: user.signal })
  stopWaiting = stop
  // By then the router has drawn, and no part of the page before is left.
  setTimeout(() => {
    observer.observe(document, { childList: true, subtree: true })
    scroll()
  })
}
