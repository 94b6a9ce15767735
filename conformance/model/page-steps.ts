import type { Fault } from './faults.ts'
import { type Focus, nameOf, type Offer, type Request, type State, type ToPage, type Work } from './state.ts'

/** The page loads, takes messages, asks the service, draws, and answers. Its reports are on their way at once. */
export function pageSteps(state: State, faults: ReadonlySet<Fault>, offer: Offer): void {
  const { page, service, wrapper } = state
  if (!page.isThere) {
    if (wrapper.phase === 'serving' && !wrapper.isEnding && service.isUp) offer('page loads', load)
    return
  }
  const [message] = page.toPage
  if (message)
    offer(`page takes ${message.type}`, next => {
      next.page.toPage.shift()
      take(next, message, faults)
    })
  for (const [place, { stage, isStopped, request }] of page.works.entries()) {
    const what = nameOf(state, request)
    if (stage === 'drawn') {
      offer(`page answers ${what}`, next => end(next, place, 'answered'))
      continue
    }
    if (isStopped && !faults.has('older-draws'))
      offer(`page stops ${what}`, next => end(next, place, 'stopped'))
    else if (stage === 'refused') offer(`page refuses ${what}`, next => end(next, place, 'refused'))
    else if (stage === 'known') offer(`page draws ${what}`, next => draw(next, place))
    else if (service.isUp) {
      offer(`service answers ${what}`, next => hearService(next, place, faults))
      if (state.requests[request]?.wish.person && state.budget.refusals > 0)
        offer(`service refuses ${what}`, next => {
          next.budget.refusals--
          const work = next.page.works[place] as Work
          work.stage = 'refused'
        })
    }
  }
}

function load(state: State): void {
  const { page, service } = state
  page.isThere = true
  page.session = service.session
  if (page.session === 0) forget(state)
  page.drawn = state.kept
  page.toWrapper.push({ type: 'hello', session: page.session, focus: page.drawn })
}

function take(state: State, message: ToPage, faults: ReadonlySet<Fault>): void {
  const { page } = state
  if (message.type === 'stop') {
    for (const work of page.works) if (work.request === message.request) work.isStopped = true
    return
  }
  if (message.type === 'signOut') {
    if (state.service.isUp) state.service.session = 0
    signOut(state, faults)
    return
  }
  const isFormerUser = page.session !== message.session && !faults.has('next-user')
  if (isFormerUser) page.toWrapper.push({ type: 'stopped', request: message.request })
  else {
    // The later choice counts, also if the wrapper no longer waits for the earlier one.
    for (const work of page.works) work.isStopped = true
    page.works.push({ request: message.request, stage: 'asked', isStopped: false })
  }
}

function hearService(state: State, place: number, faults: ReadonlySet<Fault>): void {
  const { page, service } = state
  const work = page.works[place] as Work
  if (service.session === page.session && page.session > 0) {
    work.stage = 'known'
    if (faults.has('answers-before-drawing')) page.toWrapper.push({ type: 'answered', request: work.request })
    return
  }
  // The service's session is over, which the page learns by its answer.
  end(state, place, 'stopped')
  signOut(state, faults)
}

function draw(state: State, place: number): void {
  const work = state.page.works[place] as Work
  const { wish, order, session } = state.requests[work.request] as Request
  if (wish.person && order < state.drawnOrder) state.broken = 'older replaced newer'
  if (session !== state.page.session) state.broken = 'shown to another user'
  state.drawnOrder = Math.max(order, state.drawnOrder)
  work.stage = 'drawn'
  show(state, wish.person)
  state.undisturbed = work.request
}

/** Puts a person on the screen, or nobody, and tells the wrapper. */
export function show(state: State, focus: Focus): void {
  state.page.drawn = focus
  state.kept = focus
  state.leaving = undefined
  state.page.toWrapper.push({ type: 'focus', focus })
}

function end(state: State, place: number, type: 'answered' | 'refused' | 'stopped'): void {
  const [work] = state.page.works.splice(place, 1)
  if (work) state.page.toWrapper.push({ type, request: work.request })
}

/** The log-in page takes the place of everything. */
export function signOut(state: State, faults: ReadonlySet<Fault>): void {
  const { page } = state
  disturb(state)
  if (page.session === 0) return
  page.session = 0
  if (!faults.has('keeps-person')) {
    page.drawn = undefined
    forget(state)
  }
  for (const work of page.works) work.isStopped = true
  page.toWrapper.push({ type: 'signedOut' })
}

/** What the browser keeps goes with its session. */
export function forget(state: State): void {
  state.kept = undefined
  state.leaving = undefined
  disturb(state)
}

/** What was told as shown need not be shown any more. */
export function disturb(state: State): void {
  state.promised = undefined
  state.undisturbed = undefined
}
