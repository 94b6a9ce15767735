import * as z from 'zod/mini'

const tops = z.catch(z.record(z.string(), z.number()), {})

const scrollers = [':root', '.pane-scroll']

/**
 * Keeps with each entry of the history where its page and its list are scrolled to. The browser forgets it for a list, and for a
 * page whose content comes after a reload. Browsers without the Navigation API stay at the top.
 */
export function keepScroll(): void {
  const { navigation } = window
  if (!navigation) return
  window.addEventListener(
    'scrollend',
    ({ target }) => {
      const scroller = scrollers.find(selector => elementOf(target)?.matches(selector))
      const top = elementOf(target)?.scrollTop
      if (scroller !== undefined && top !== undefined)
        navigation.updateCurrentEntry({ state: { ...readTops(), [scroller]: top } })
    },
    { capture: true },
  )
  window.addEventListener('popstate', restoreScroll)
  restoreScroll()
}

const elementOf = (target: EventTarget | null) =>
  target === document ? document.documentElement : target instanceof Element ? target : null

const readTops = () => tops.parse(window.navigation.currentEntry?.getState())

let stopWaiting = () => {}

/** Scrolls as soon as the content is there, unless the user or another page comes first. */
function restoreScroll(): void {
  stopWaiting()
  const wanted = Object.entries(readTops())
  const entry = window.navigation.currentEntry?.key
  const user = new AbortController()
  // Not before the first change: until then the page is the one before.
  const observer = new MutationObserver(() => scroll())
  const stop = () => {
    observer.disconnect()
    user.abort()
  }
  const scroll = () => {
    if (window.navigation.currentEntry?.key !== entry) return stop()
    const isComplete = wanted.map(([selector, top]) => {
      const element = document.querySelector(selector)
      if (element && element.scrollTop < top) element.scrollTop = top
      return element && element.scrollTop >= top - 1
    })
    if (isComplete.every(Boolean)) stop()
  }
  observer.observe(document, { childList: true, subtree: true })
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    window.addEventListener(event, stop, { capture: true, passive: true, signal: user.signal })
  stopWaiting = stop
}
