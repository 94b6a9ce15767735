import fc from 'fast-check'
import type { Person, Wish } from '../model/state.ts'
import { type ModelSide, seenOf } from './model-side.ts'
import { journalCount, type RealSide } from './real-side.ts'

/** A step of a trace, for the model and a real desktop. */
export type Desktop = fc.AsyncCommand<ModelSide, RealSide, boolean>

/** A step of a trace. A hasty one does not wait for its effects, where the next step needs none. */
class Step implements Desktop {
  readonly #name: string
  readonly #isHasty: boolean
  readonly #run: (model: ModelSide, real: RealSide) => boolean | Promise<boolean>

  /** @param run returns whether it was possible */
  constructor(
    name: string,
    isHasty: boolean,
    run: (model: ModelSide, real: RealSide) => boolean | Promise<boolean>,
  ) {
    this.#name = name
    this.#isHasty = isHasty
    this.#run = run
  }

  check = () => true

  async run(model: ModelSide, real: RealSide): Promise<void> {
    if (!(await this.#run(model, real))) return
    if (!this.#isHasty) await compare(model, real)
    else if (model.isBusy) await real.untilTaken()
  }

  toString = () => `${this.#name}${this.#isHasty ? ', and at once' : ''}`
}

/** Looks without a change after which the wrapper is said to stay so. Each asks it over its pipe. */
const maxLooks = 300
const patienceMs = 1000

/** Waits until what is seen of the wrapper is what the model allows. */
export async function compare(model: ModelSide, real: RealSide): Promise<void> {
  model.isBusy = false
  real.page.setBusy(false)
  await real.untilTaken()
  const expected = new Set(model.settled().map(seen => JSON.stringify(seen)))
  let last = ''
  let since = performance.now()
  // It may match while it is on its way to another state.
  for (let looks = 0, matches = 0; matches < 2; looks++) {
    const seen = JSON.stringify(await real.see())
    matches = expected.has(seen) ? matches + 1 : 0
    if (seen !== last) {
      looks = 0
      since = performance.now()
    }
    last = seen
    if (looks > maxLooks && performance.now() - since > patienceMs)
      throw new Error(`The wrapper differs.\nSeen: ${seen}\nModel: ${[...expected].join('\n   or: ')}`)
  }
  model.keep(last)
  const fault = real.numberFault()
  if (fault) throw new Error(`The numbers of the focus do not rise: ${fault}.`)
}

/** Waits for the effects so far, unless it is certain without that a step is possible. Then it must be so. */
async function canDo(
  model: ModelSide,
  real: RealSide,
  is: Parameters<ModelSide['isCertain']>[0],
): Promise<boolean> {
  if (model.isCertain(is)) return true
  await compare(model, real)
  return model.isCertain(is)
}

const persons: readonly Person[] = ['A', 'B']
const wishes: readonly Wish[] = [
  ...persons.map(person => ({ does: 'select', person }) as const),
  ...persons.map(person => ({ does: 'select', person, isLaunch: true }) as const),
  { does: 'clear' },
  { does: 'signout' },
]

export const click = (wish: Wish, journal: number, isHasty = false) =>
  new Step(
    `journal ${journal}: ${wish.isLaunch ? 'launch ' : ''}${wish.does} ${wish.person ?? ''}`,
    isHasty,
    (model, real) => {
      // A launch is a process of its own.
      model.click(wish, wish.isLaunch ? journalCount + real.clicks() : journal)
      real.click(wish, journal)
      return true
    },
  )

const giveUp = (isHasty = false) =>
  new Step('the last caller gives up', isHasty, async (model, real) => {
    const id = real.clicks() - 1
    if (id < 0 || real.isLaunch(id)) return false
    if (!(await canDo(model, real, ({ requests }) => requests[id]?.at !== 'done'))) return false
    model.giveUp(id)
    real.giveUp(id)
    return true
  })

export const busy = () =>
  new Step('the page is busy', true, (model, real) => {
    model.isBusy = true
    real.page.setBusy(true)
    return true
  })

export const goOn = (isHasty = false, isRefused = false) =>
  new Step(
    `the first call in the page ${isRefused ? 'is refused' : 'goes on'}`,
    isHasty,
    async (model, real) => {
      const [work] = real.page.shown.works
      const isSure = work !== undefined && model.isCertain(state => seenOf(state).works[0] === work)
      if (!model.isBusy || !isSure) await compare(model, real)
      const [now] = real.page.shown.works
      if (!now || (isRefused && !/^select . asked$/.test(now))) return false
      model.goOn(isRefused)
      real.page.goOn(isRefused)
      return true
    },
  )

export const choose = (person: Person, isHasty = false) =>
  new Step(`user chooses ${person}`, isHasty, async (model, real) => {
    if (!(await canDo(model, real, ({ page }) => page.session > 0 && page.drawn !== person))) return false
    model.world('choices', `user chooses ${person}`)
    real.page.choose(person)
    return true
  })

/** Somebody signs in, whose session is the next one. */
export const signIn = (isHasty = false) =>
  new Step('user signs in', isHasty, async (model, real) => {
    if (
      !(await canDo(
        model,
        real,
        ({ page, wrapper }) => page.isThere && page.session === 0 && !wrapper.isEnding,
      ))
    )
      return false
    model.world('signIns', 'user signs in')
    real.page.signIn()
    return true
  })

export const signOut = (isHasty = false) =>
  new Step('user signs out', isHasty, async (model, real) => {
    if (!(await canDo(model, real, ({ page }) => page.session > 0))) return false
    model.world('signOuts', 'user signs out')
    real.page.signOut()
    return true
  })

/** A wrapper bears a few losses in a minute, then leaves the page alone for a while. */
const maxLosses = 2

const lose =
  (kind: 'reloads' | 'crashes', step: string, act: (real: RealSide) => void) =>
  (isHasty = false) =>
    new Step(step, isHasty, async (model, real) => {
      await compare(model, real)
      if (model.losses[kind] === maxLosses) return false
      if (!model.isCertain(({ page }) => page.isThere)) return false
      model.losses[kind]++
      model.world(kind, kind === 'reloads' ? 'page reloads' : 'browser is killed')
      act(real)
      return true
    })

export const reload = lose('reloads', 'page reloads', real => real.reload())
const crash = lose('reloads', 'page crashes', real => real.crash())
const kill = lose('crashes', 'browser is killed', real => real.loseEngine())

const isHasty = fc.boolean()
const journal = fc.nat(journalCount - 1)

/** Steps of a trace, the usual ones more often. */
export const steps: readonly fc.Arbitrary<Desktop>[] = [
  ...wishes.map(wish => fc.tuple(journal, isHasty).map(([one, is]) => click(wish, one, is))),
  isHasty.map(is => goOn(is)),
  isHasty.map(is => goOn(is)),
  isHasty.map(is => goOn(is)),
  isHasty.map(is => goOn(is)),
  isHasty.map(is => goOn(is, true)),
  isHasty.map(signIn),
  isHasty.map(signIn),
  fc.tuple(fc.constantFrom(...persons), isHasty).map(([person, is]) => choose(person, is)),
  isHasty.map(giveUp),
  fc.constant(undefined).map(busy),
  isHasty.map(signOut),
  isHasty.map(reload),
  isHasty.map(crash),
  isHasty.map(kill),
]

/** Lets all work come to an end: every caller is told then, or waits for a user. */
export async function finish(model: ModelSide, real: RealSide): Promise<void> {
  await compare(model, real)
  while (real.page.shown.works.length > 0) {
    model.goOn()
    real.page.goOn()
    await compare(model, real)
  }
}
