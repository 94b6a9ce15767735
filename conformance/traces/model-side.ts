import type { Fault } from '../model/faults.ts'
import { invariants } from '../model/invariants.ts'
import { cancel } from '../model/journal-steps.ts'
import { type Budget, beginning, copyOf, type Outcome, type State, type Wish } from '../model/state.ts'
import { stepsOf } from '../model/steps.ts'
import type { Shown } from './traced-page.ts'

/** What can be seen of a desktop: of the model and of the real one. */
export interface Seen extends Shown {
  /** What each caller was told. */
  readonly outcomes: readonly (Outcome | 'waits')[]
  readonly isSignedIn: boolean
  /** Person in focus, as the wrapper tells other programs. */
  readonly focus: string | undefined
}

const noBudget: Budget = {
  kills: 0,
  reloads: 0,
  crashes: 0,
  outages: 0,
  choices: 0,
  signIns: 0,
  signOuts: 0,
  givingUps: 0,
  overruns: 0,
}

const noFaults: ReadonlySet<Fault> = new Set()

/** Whether a step is one by its first words and its request, such as `page stops (3)`. */
function isStep(step: string, wanted: string): boolean {
  const place = wanted.lastIndexOf('(')
  return step.startsWith(wanted.slice(0, place)) && step.endsWith(wanted.slice(place))
}

/** The wrapper does this after some seconds: a trace may be over before. */
const isLater = (step: string) => step === 'wrapper clears up behind a user'

/** The states that a desktop may be in, as the model has it, after the steps of a trace so far. */
export class ModelSide {
  /** Losses of the page and of its browser so far. */
  readonly losses = { reloads: 0, crashes: 0 }
  /** Whether messages of the wrapper wait for the page. */
  isBusy = false
  #states: readonly State[]
  /** Ends of calls that the trace has let go on. */
  readonly #mayEnd = new Set<string>()

  constructor() {
    const state = beginning([], noBudget)
    state.serving = 1
    state.wrapper.phase = 'serving'
    this.#states = [state]
  }

  /** A journal's call, or a launch, is on its way. */
  click(wish: Wish, journal: number): void {
    this.#change(state => {
      const [request] = beginning([[wish]], noBudget).requests
      if (request) state.requests.push({ ...request, journal, at: 'pipe' })
    })
  }

  giveUp(id: number): void {
    this.#change(state => {
      if (state.requests[id]?.at !== 'done') cancel(state, id)
    })
  }

  /** A step of user or world. The trace allows as many as it likes. */
  world(kind: keyof Budget, step: string): void {
    const states: State[] = []
    for (const { state } of this.#reach().values())
      stepsOf({ ...state, budget: { ...noBudget, [kind]: 1 } }, noFaults, (name, next) => {
        if (name === step) states.push({ ...next, budget: noBudget })
      })
    if (states.length === 0) throw new Error(`The model has no step: ${step}.`)
    this.#states = states
    if (kind === 'reloads' || kind === 'crashes') this.#mayEnd.clear()
  }

  /** The first call in the page goes on: it is drawn, or answered, or learns that it is to stop. */
  goOn(): void {
    const states: State[] = []
    for (const { state } of this.#reach().values()) {
      const [work] = state.page.works
      if (!work) continue
      const name = `(${work.request})`
      this.#mayEnd.add(`page ${work.stage === 'drawn' ? 'answers' : 'stops'} ${name}`)
      if (work.stage === 'drawn' || work.isStopped) states.push(state)
      else
        stepsOf(state, noFaults, (step, next) => isStep(step, `service answers ${name}`) && states.push(next))
    }
    this.#states = states
  }

  /** Whether something is so in all states that the desktop may be in by now. */
  isCertain(holds: (state: State) => boolean): boolean {
    return [...this.#reach().values()].every(({ state }) => holds(state))
  }

  /** What may be seen where nothing moves any more by itself. */
  settled(): readonly Seen[] {
    const resting = [...this.#reach().values()].filter(({ isResting }) => isResting)
    this.#states = resting.map(({ state }) => state)
    return this.#states.map(seenOf)
  }

  /** @param seen as JSON: states of which something else would be seen are left out */
  keep(seen: string): void {
    this.#states = this.#states.filter(state => JSON.stringify(seenOf(state)) === seen)
  }

  #change(change: (state: State) => void): void {
    this.#states = [...this.#reach().values()].map(({ state }) => {
      const next = copyOf(state)
      change(next)
      return next
    })
  }

  /** Whether the trace decides that a step happens. */
  #isOfTrace(step: string): boolean {
    if (/^(service answers|journal|process)/.test(step)) return true
    if (step.startsWith('page takes')) return this.isBusy
    return /^page (answers|stops)/.test(step) && ![...this.#mayEnd].some(end => isStep(step, end))
  }

  /** All states that are reached by themselves. */
  #reach() {
    const reached = new Map<string, { readonly state: State; readonly isResting: boolean }>()
    const left = [...this.#states]
    for (let state = left.pop(); state; state = left.pop()) {
      const key = JSON.stringify(state)
      if (reached.has(key)) continue
      for (const [name, holds] of Object.entries(invariants))
        if (!holds(state)) throw new Error(`Broken in the model: ${name}.`)
      let isResting = true
      stepsOf(state, noFaults, (name, next) => {
        if (this.#isOfTrace(name)) return
        if (!isLater(name)) isResting = false
        left.push(next)
      })
      reached.set(key, { state, isResting })
    }
    return reached
  }
}

/** What is seen of a state of the model. */
export function seenOf({ requests, page, wrapper }: State): Seen {
  return {
    isThere: page.isThere,
    session: page.session,
    drawn: page.drawn,
    works: page.works.map(({ request, stage, isStopped }) => {
      const { does, person = '' } = requests[request]?.wish ?? { does: '?' }
      return `${`${does} ${person}`.trim()} ${isStopped ? 'stopped' : stage}`
    }),
    outcomes: requests.map(({ outcome }) => outcome ?? 'waits'),
    isSignedIn: wrapper.session > 0,
    focus: wrapper.session > 0 ? wrapper.focus : undefined,
  }
}
