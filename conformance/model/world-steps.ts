import type { Fault } from './faults.ts'
import { disturb, forget, show, signOut } from './page-steps.ts'
import { noPage, noWrapper, type Offer, type State } from './state.ts'
import { loseBrowser, losePage } from './wrapper-steps.ts'

/** The user, the service's outages, and everything that ends a program. */
export function worldSteps(state: State, faults: ReadonlySet<Fault>, offer: Offer): void {
  const { page, service, wrapper, budget } = state
  const spend = (name: keyof State['budget'], step: string, change: (next: State) => void) => {
    if (budget[name] === 0) return
    offer(step, next => {
      next.budget[name]--
      change(next)
    })
  }
  if (page.isThere && page.session === 0 && service.isUp) spend('signIns', 'user signs in', signIn)
  if (page.isThere && page.session > 0) {
    spend('signOuts', 'user signs out', next => {
      if (next.service.isUp) next.service.session = 0
      signOut(next, faults)
    })
    for (const person of ['A', 'B'] as const)
      if (page.drawn !== person)
        spend('choices', `user chooses ${person}`, next => {
          for (const request of next.requests) request.isPassed ||= request.at === 'page'
          disturb(next)
          show(next, person)
        })
  }
  if (service.session > 0)
    spend('signOuts', 'session runs out at the service', next => (next.service.session = 0))
  spend('outages', 'service goes away', next => (next.service.isUp = false))
  if (!service.isUp) offer('service comes back', next => (next.service.isUp = true))
  if (page.isThere) spend('reloads', 'page reloads', next => losePage(next, faults))
  if (wrapper.phase !== 'absent') {
    spend('crashes', 'browser is killed', next => loseBrowser(next, faults))
    spend('kills', 'wrapper is killed', endWrapper)
  }
  if (wrapper.phase === 'serving') spend('kills', 'user closes the wrapper', leave)
  if (wrapper.phase === 'leaving') offer('wrapper has closed its window', endWrapper)
}

function signIn(state: State): void {
  const session = ++state.sessions
  state.service.session = session
  state.page.session = session
  state.promised = undefined
  state.page.toWrapper.push({ type: 'signedIn', session })
}

/** Whoever waits is told, and nothing more is taken. */
function leave(state: State): void {
  state.wrapper.phase = 'leaving'
  abandon(state)
}

/** The lock is free, the window is gone with its browser, and broken connections tell whoever waits. */
function endWrapper(state: State): void {
  abandon(state)
  state.serving--
  state.wrapper = noWrapper()
  state.drawnOrder = 0
  state.page = noPage()
  state.service.session = 0
  forget(state)
}

function abandon(state: State): void {
  disturb(state)
  state.leaving = undefined
  for (const request of state.requests)
    if (request.at === 'pipe' || request.at === 'queue' || request.at === 'page') {
      request.at = 'done'
      request.outcome ??= 'gone'
      request.isCancelled = false
    }
  state.wrapper.queue = []
}
