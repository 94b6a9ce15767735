import type { Fault } from './faults.ts'
import { journalSteps } from './journal-steps.ts'
import { pageSteps } from './page-steps.ts'
import { copyOf, type Offer, type State } from './state.ts'
import { worldSteps } from './world-steps.ts'
import { wrapperSteps } from './wrapper-steps.ts'

/** Every step that is possible in a state, with the state after it. */
export function stepsOf(
  state: State,
  faults: ReadonlySet<Fault>,
  found: (name: string, next: State) => void,
) {
  const offer: Offer = (name, change) => {
    const next = copyOf(state)
    change(next)
    found(name, next)
  }
  journalSteps(state, faults, offer)
  wrapperSteps(state, faults, offer)
  pageSteps(state, faults, offer)
  worldSteps(state, faults, offer)
}
