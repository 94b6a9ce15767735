import type { Fault } from './faults.ts'
import { nameOf, noPage, type Offer, type State } from './state.ts'

/** Clicks, further clicks before an answer, launches that start a wrapper or find one, and callers that give up. */
export function journalSteps(state: State, faults: ReadonlySet<Fault>, offer: Offer): void {
  const clicked = new Set<number>()
  for (const [id, { at, journal, wish, outcome }] of state.requests.entries()) {
    const what = nameOf(state, id)
    if (at === 'journal' && !clicked.has(journal)) {
      clicked.add(journal)
      offer(`journal ${journal}: ${what}`, next => {
        request(next, id).at = next.wrapper.phase === 'serving' ? 'pipe' : 'starting'
      })
    }
    if (at === 'starting') claim(state, id, faults, offer)
    const isOnItsWay = at !== 'journal' && at !== 'starting' && at !== 'done'
    if (isOnItsWay && !wish.isLaunch && !outcome && state.budget.givingUps > 0)
      offer(`journal ${journal} gives up: ${what}`, next => {
        next.budget.givingUps--
        cancel(next, id)
      })
  }
}

/** The caller waits no longer. The wrapper learns of it later. */
export function cancel(state: State, id: number): void {
  const cancelled = request(state, id)
  cancelled.outcome = 'given-up'
  cancelled.isCancelled = true
  if (cancelled.wish.does === 'clear') state.leaving = undefined
}

/** A process takes the desktop's lock, or hands over to the wrapper that holds it. It waits for one that leaves. */
function claim(state: State, id: number, faults: ReadonlySet<Fault>, offer: Offer): void {
  const { wrapper } = state
  const isFree = wrapper.phase === 'absent' || (faults.has('leaves-early') && wrapper.phase === 'leaving')
  if (isFree || faults.has('two-locks'))
    offer(`process of ${nameOf(state, id)} claims the desktop`, next => {
      next.serving++
      next.wrapper.phase = 'serving'
      next.page = noPage()
      request(next, id).at = 'pipe'
    })
  if (wrapper.phase === 'serving')
    offer(`process of ${nameOf(state, id)} hands over`, next => {
      request(next, id).at = 'pipe'
    })
}

function request(state: State, id: number) {
  const found = state.requests[id]
  if (!found) throw new RangeError(`There is no request ${id}.`)
  return found
}
