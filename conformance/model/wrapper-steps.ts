import type { Fault } from './faults.ts'
import { disturb, forget } from './page-steps.ts'
import {
  nameOf,
  noPage,
  type Offer,
  type Outcome,
  type Request,
  type State,
  type ToWrapper,
} from './state.ts'

/** The wrapper takes requests, gives one at a time to the page, hears the page, and ends sessions. */
export function wrapperSteps(state: State, faults: ReadonlySet<Fault>, offer: Offer): void {
  const { wrapper, page } = state
  if (wrapper.phase === 'absent') return
  if (wrapper.phase === 'serving') {
    const heard = new Set<number>()
    for (const [id, { at, journal, isCancelled }] of state.requests.entries()) {
      if (isCancelled && (at === 'queue' || at === 'page'))
        offer(`wrapper hears of the end of ${nameOf(state, id)}`, next => giveUp(next, id, 'given-up'))
      if (at !== 'pipe' || heard.has(journal)) continue
      // The caller gave up before it had sent anything.
      if (isCancelled) offer(`wrapper never gets ${nameOf(state, id)}`, next => tell(next, id, 'given-up'))
      heard.add(journal)
      offer(`wrapper takes ${nameOf(state, id)}`, next => take(next, id, faults))
    }
    // Nobody is in focus where nobody is signed in.
    for (const id of wrapper.session === 0 ? wrapper.queue : [])
      if (state.requests[id]?.wish.does === 'clear')
        offer(`wrapper has nobody to clear for ${nameOf(state, id)}`, next => {
          next.wrapper.queue = next.wrapper.queue.filter(one => one !== id)
          tell(next, id, 'cleared')
        })
    const isReady = wrapper.isConnected && wrapper.session > 0 && !wrapper.isEnding
    // Journals take turns: an end may wait longer than another journal's later choice.
    for (const id of wrapper.running === undefined && isReady ? wrapper.queue : [])
      offer(`wrapper begins ${nameOf(state, id)}`, next => begin(next, id))
  }
  const [message] = page.toWrapper
  if (message)
    offer(`wrapper hears ${message.type}`, next => {
      next.page.toWrapper.shift()
      hear(next, message, faults)
    })
  // It has waited for the page, but not for ever.
  if (wrapper.isRestoring)
    offer('wrapper restores the session', next => {
      next.wrapper.isRestoring = false
      losePage(next, faults)
    })
  if (wrapper.isEnding) offer('wrapper opens a new window', endInNewWindow)
  else if (wrapper.isToClearUp) offer('wrapper clears up behind a user', clearUp)
  if (wrapper.running !== undefined && state.budget.overruns > 0)
    offer('wrapper waits no longer for the page', next => {
      next.budget.overruns--
      overrun(next)
    })
}

/**
 * From here on it is the wrapper's to answer. A choice that was taken before, and is not drawn, gives way. An end does not: the later
 * choice may be refused.
 */
function take(state: State, id: number, faults: ReadonlySet<Fault>): void {
  const { wrapper } = state
  const taken = state.requests[id] as Request
  disturb(state)
  if (!faults.has('no-supersede'))
    for (const [other, request] of state.requests.entries())
      if (isWaiting(request) && (request.wish.person || faults.has('end-gives-way')))
        giveUp(state, other, 'superseded')
  for (const request of state.requests)
    request.isPassed ||= request.order > 0 && request.wish.person !== undefined
  const isOfPresentUser = wrapper.session > 0 && wrapper.session === state.page.session
  if (taken.wish.does === 'clear' && isOfPresentUser && !taken.isCancelled) state.leaving = wrapper.focus
  taken.order = ++wrapper.order
  taken.session = wrapper.session
  taken.at = 'queue'
  if (taken.wish.does !== 'signout') wrapper.queue.push(id)
  // A second one joins the first.
  else if (!wrapper.isEnding) {
    wrapper.isEnding = true
    follow(state, 0, faults)
    wrapper.isToClearUp = false
    state.page.toPage.push({ type: 'signOut' })
  }
}

function begin(state: State, id: number): void {
  const { wrapper, page } = state
  const { session } = wrapper
  wrapper.queue = wrapper.queue.filter(one => one !== id)
  wrapper.running = id
  const running = state.requests[id] as Request
  if (running.isPassed) state.broken = 'begun after it gave way'
  running.at = 'page'
  state.undisturbed = id
  wrapper.isFollowed = false
  running.session ||= session
  page.toPage.push({ type: 'call', request: id, session })
}

/** Answers a request that is not done. The page is told to stop its work, and keeps its turn until it has. */
export function giveUp(state: State, id: number, outcome: Outcome): void {
  const { wrapper, page } = state
  wrapper.queue = wrapper.queue.filter(one => one !== id)
  tell(state, id, outcome)
  if (wrapper.running === id && page.isThere) page.toPage.push({ type: 'stop', request: id })
}

function tell(state: State, id: number, outcome: Outcome): void {
  const request = state.requests[id] as Request
  request.at = 'done'
  if (request.wish.does === 'clear' && outcome !== 'cleared' && outcome !== 'superseded')
    state.leaving = undefined
  if (request.isCancelled) request.isCancelled = false
  else {
    if (request.outcome) state.broken = 'answered twice'
    request.outcome = outcome
  }
}

/** @param message from the page: in the order in which it told them */
function hear(state: State, message: ToWrapper, faults: ReadonlySet<Fault>): void {
  const { wrapper } = state
  switch (message.type) {
    case 'hello':
      wrapper.isConnected = true
      wrapper.focus = message.focus
      if (!wrapper.isEnding) follow(state, message.session, faults)
      return
    case 'signedIn':
      if (!wrapper.isEnding) follow(state, message.session, faults)
      return
    case 'signedOut':
      wrapper.focus = undefined
      wrapper.isFollowed = true
      if (!wrapper.isEnding) follow(state, 0, faults)
      return
    case 'focus':
      wrapper.focus = message.focus
      wrapper.isFollowed = true
      return
    case 'answered': {
      const isLate = state.requests[message.request]?.at === 'done'
      succeed(state, message.request, faults)
      if (wrapper.running === message.request && !(isLate && faults.has('keeps-turn')))
        wrapper.running = undefined
      return
    }
    case 'refused':
    case 'stopped': {
      const outcome = message.type === 'refused' ? 'refused' : 'other-user'
      if (state.requests[message.request]?.at !== 'done') tell(state, message.request, outcome)
      if (wrapper.running === message.request) wrapper.running = undefined
    }
  }
}

function succeed(state: State, id: number, faults: ReadonlySet<Fault>): void {
  const { wrapper } = state
  const { wish, at, isCancelled, order } = state.requests[id] as Request
  if (at === 'done' && !faults.has('tells-twice')) return
  if (isCancelled) {
    tell(state, id, 'given-up')
    return
  }
  const isOther = wish.does === 'select' && wrapper.focus !== wish.person
  if (isOther && !faults.has('believes-answer')) {
    tell(state, id, 'superseded')
    return
  }
  if (isOther) state.broken = 'success for somebody else'
  tell(state, id, wish.does === 'clear' ? 'cleared' : 'shown')
  // Who was to leave has left. The end that has waited longer must not clear the later choice.
  for (const [other, request] of state.requests.entries())
    if (wish.person && request.wish.does === 'clear' && request.order < order && isWaiting(request))
      giveUp(state, other, 'cleared')
  const isLast = !state.requests.some(request => isWaiting(request) && request.order > order)
  if (state.undisturbed === id && isLast) state.promised = wish.person ?? 'nobody'
}

/** Whether the wrapper has a request, and has not answered it. */
function isWaiting({ at }: Request): boolean {
  return at === 'queue' || at === 'page'
}

/** Notes who is signed in. Work of a user who is gone goes with the session; work that waited belongs to the new one. */
function follow(state: State, session: number, faults: ReadonlySet<Fault>): void {
  const { wrapper } = state
  if (session === wrapper.session) return
  for (const [id, request] of state.requests.entries()) {
    if (isWaiting(request) && request.session > 0 && request.wish.does !== 'signout') {
      if (!faults.has('keeps-work'))
        giveUp(state, id, request.wish.does === 'clear' ? 'cleared' : 'other-user')
    } else if (request.at === 'queue') request.session = session
  }
  wrapper.session = session
  wrapper.isToClearUp = session === 0
}

/** Ends a session for certain: whatever the page did, its window goes with all that it has kept. */
function endInNewWindow(state: State): void {
  const { wrapper, requests } = state
  wrapper.isEnding = false
  openAfresh(state)
  for (const [id, { at, wish }] of requests.entries())
    if (at === 'queue' && wish.does === 'signout') tell(state, id, 'signed-out')
  state.promised = 'nobody'
}

/** Nobody has signed in since. */
function clearUp(state: State): void {
  state.wrapper.isToClearUp = false
  const { running } = state.wrapper
  if (running !== undefined && state.requests[running]?.at !== 'done') tell(state, running, 'gone')
  openAfresh(state)
}

function openAfresh(state: State): void {
  const { wrapper } = state
  wrapper.isConnected = false
  wrapper.running = undefined
  wrapper.focus = undefined
  wrapper.isRestoring = false
  state.page = noPage()
  state.service.session = 0
  forget(state)
}

function overrun(state: State): void {
  const { wrapper } = state
  const id = wrapper.running as number
  if (state.requests[id]?.at !== 'done') giveUp(state, id, 'gone')
  wrapper.running = undefined
}

/** A launch that crashes the page must not do so for ever. */
const maxAttempts = 3

/**
 * The document is gone. What it told before is heard first. Its call goes to the next document if it is of a launch and nothing was
 * told since it began; else its caller is told.
 */
export function losePage(state: State, faults: ReadonlySet<Fault>): void {
  const { wrapper } = state
  for (const message of faults.has('unheard-reports') ? [] : state.page.toWrapper)
    hear(state, message, faults)
  const { running } = wrapper
  state.page = noPage()
  wrapper.isConnected = false
  wrapper.running = undefined
  if (running === undefined) return
  const request = state.requests[running] as Request
  const isOpen = request.at !== 'done'
  const isUntold = !wrapper.isFollowed || faults.has('repeats-behind')
  const isRepeatable = request.wish.isLaunch && isUntold && ++request.losses < maxAttempts
  if (isRepeatable && (isOpen || faults.has('takes-twice'))) {
    request.at = 'queue'
    request.outcome = undefined
    wrapper.queue.unshift(running)
  } else if (isOpen && !faults.has('forgets-running')) tell(state, running, 'gone')
}

/** The next browser has the session of a user who was signed in, and nothing else. */
export function loseBrowser(state: State, faults: ReadonlySet<Fault>): void {
  losePage(state, faults)
  forget(state)
  if (state.wrapper.session === 0) state.service.session = 0
  else state.wrapper.isRestoring = true
}
