import { type Budget, beginning, noBudget, type State, type Wish } from './state.ts'

const nothing: Budget = { ...noBudget, signIns: 1 }

const a: Wish = { does: 'select', person: 'A' }
const b: Wish = { does: 'select', person: 'B' }
const launchA: Wish = { ...a, isLaunch: true }
const launchB: Wish = { ...b, isLaunch: true }

/** A beginning, what its journals want in their order, and how often everything else may happen. */
export interface World {
  readonly name: string
  readonly journals: readonly (readonly Wish[])[]
  readonly budget: Budget
}

/** Small worlds, in which every seeded fault shows. */
export const worlds: readonly World[] = [
  {
    name: 'a person cleared, a later click that is refused or reloads',
    journals: [[{ does: 'clear' }], [b]],
    budget: { ...nothing, refusals: 1, choices: 1, reloads: 1 },
  },
  {
    name: 'two clicks, a slow page, a choice of the user',
    journals: [[a], [b]],
    budget: { ...nothing, choices: 1, overruns: 1, givingUps: 1 },
  },
  {
    name: 'a launch, a page that reloads, a browser and a wrapper that are killed',
    journals: [[a], [launchB]],
    budget: { ...nothing, choices: 1, reloads: 1, crashes: 1, kills: 1 },
  },
  {
    name: 'a person cleared, a session ended, a second user',
    journals: [[a, { does: 'clear' }], [{ does: 'signout' }]],
    budget: { ...nothing, signIns: 2, signOuts: 1, choices: 1 },
  },
]

/** Every interleaving of three clicks or launches, two users, a loss and a choice. */
export const largeWorld: World = {
  name: 'three clicks, a launch among them, two users, a reload, a choice',
  journals: [[a, b], [launchB]],
  budget: { ...nothing, signIns: 2, signOuts: 1, reloads: 1, choices: 1 },
}

/** A launch and a click, and everything that ends programs. */
export const endsWorld: World = {
  name: 'a click, an end of the person, a launch, a slow page, an outage, a killed wrapper',
  journals: [[a], [{ does: 'clear' }], [launchA]],
  budget: { ...nothing, reloads: 1, outages: 1, overruns: 1, kills: 1 },
}

export function beginningOf({ journals, budget }: World): State {
  return beginning(journals, budget)
}
