import type { Fault } from '../model/faults.ts'
import { invariants } from '../model/invariants.ts'
import { cancel } from '../model/journal-steps.ts'
import {
  type Budget,
  beginning,
  copyOf,
  noBudget,
  type Outcome,
  type State,
  type Wish,
} from '../model/state.ts'
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

const noFaults: ReadonlySet<Fault> = new Set()

/** Whether a step is one by its first words and its request, such as `page stops (3)`. */
function isStep(step: string, wanted: string): boolean {
  const place = wanted.lastIndexOf('(')
  return step.startsWith(wanted.slice(0, place)) && step.endsWith(wanted.slice(place))
}

/** The wrapper does this after some seconds: a trace may be over before. */
const isLater = (step: string) => step === 'wrapper clears up behind a user'

/** A state that a desktop may be in, and the ends of calls that the trace has let go on. */
interface Branch {
  readonly state: State
  readonly mayEnd: readonly string[]
}

/** The states that a desktop may be in, as the model has it, after the steps of a trace so far. */
export class ModelSide {
  /** Losses of the page and of its browser so far. */
  readonly losses = { reloads: 0, crashes: 0 }
  /** Whether messages of the wrapper wait for the page. */
  isBusy = false
  #branches: readonly Branch[]

  constructor() {
    const state = beginning([], noBudget)
    state.serving = 1
    state.wrapper.phase = 'serving'
    this.#branches = [{ state, mayEnd: [] }]
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
    const isLoss = kind === 'reloads' || kind === 'crashes'
    const branches: Branch[] = []
    for (const { state, mayEnd } of this.#reach().values())
      stepsOf({ ...state, budget: { ...noBudget, [kind]: 1 } }, noFaults, (name, next) => {
        if (name === step)
          branches.push({ state: { ...next, budget: noBudget }, mayEnd: isLoss ? [] : mayEnd })
      })
    if (branches.length === 0) throw new Error(`The model has no step: ${step}.`)
    this.#branches = branches
  }

  /**
   * The first call in the page goes on: it is drawn, or answered, or learns that it is to stop.
   *
   * @param isRefused whether the service knows no such person
   */
  goOn(isRefused = false): void {
    const branches: Branch[] = []
    for (const { state, mayEnd } of this.#reach().values()) {
      const [work] = state.page.works
      if (!work) continue
      const name = `(${work.request})`
      const ends = work.stage === 'drawn' ? ['answers'] : ['stops', 'refuses']
      const now = [...new Set([...mayEnd, ...ends.map(end => `page ${end} ${name}`)])]
      if (work.stage === 'drawn' || work.isStopped) branches.push({ state, mayEnd: now })
      else
        stepsOf({ ...state, budget: { ...noBudget, refusals: 1 } }, noFaults, (step, next) => {
          if (isStep(step, `service ${isRefused ? 'refuses' : 'answers'} ${name}`))
            branches.push({ state: { ...next, budget: noBudget }, mayEnd: now })
        })
    }
    this.#branches = branches
  }

  /** Whether something is so in all states that the desktop may be in by now. */
  isCertain(holds: (state: State) => boolean): boolean {
    return [...this.#reach().values()].every(({ state }) => holds(state))
  }

  /** What may be seen where nothing moves any more by itself. */
  settled(): readonly Seen[] {
    this.#branches = [...this.#reach().values()].filter(({ isResting }) => isResting)
    return this.#branches.map(({ state }) => seenOf(state))
  }

  /** @param seen as JSON: states of which something else would be seen are left out */
  keep(seen: string): void {
    this.#branches = this.#branches.filter(({ state }) => JSON.stringify(seenOf(state)) === seen)
  }

  #change(change: (state: State) => void): void {
    this.#branches = [...this.#reach().values()].map(({ state, mayEnd }) => {
      const next = copyOf(state)
      change(next)
      return { state: next, mayEnd }
    })
  }

  /** Whether the trace decides that a step happens. */
  #isOfTrace(step: string, mayEnd: readonly string[]): boolean {
    if (/^(service (answers|refuses)|journal|process)/.test(step)) return true
    if (step.startsWith('page takes')) return this.isBusy
    return /^page (answers|stops|refuses)/.test(step) && !mayEnd.some(end => isStep(step, end))
  }

  /** All states that are reached by themselves. */
  #reach() {
    const reached = new Map<string, Branch & { readonly isResting: boolean }>()
    const left = [...this.#branches]
    for (let branch = left.pop(); branch; branch = left.pop()) {
      const { state, mayEnd } = branch
      const key = JSON.stringify(branch)
      if (reached.has(key)) continue
      for (const [name, holds] of Object.entries(invariants))
        if (!holds(state)) throw new Error(`Broken in the model: ${name}.`)
      let isResting = true
      stepsOf(state, noFaults, (name, next) => {
        if (this.#isOfTrace(name, mayEnd)) return
        if (!isLater(name)) isResting = false
        left.push({ state: next, mayEnd })
      })
      reached.set(key, { state, mayEnd, isResting })
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
