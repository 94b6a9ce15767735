import type { Breach, State } from './state.ts'

/** What must hold in every state that can be reached: the name, and whether a state keeps it. */
export const invariants = {
  'a person told as shown is shown until something else is accepted or chosen': ({ promised, page }) =>
    promised === undefined || !page.isThere || page.drawn === (promised === 'nobody' ? undefined : promised),
  'nothing accepted is lost without its caller being told': ({ requests, wrapper }) =>
    requests.every(({ at, wish, outcome }, id) => {
      if (at === 'done') return outcome !== undefined
      if (at === 'queue') return wish.does === 'signout' ? wrapper.isEnding : wrapper.queue.includes(id)
      if (at === 'page') return wrapper.running === id
      return true
    }),
  'nobody is shown, or kept to be shown, when nobody is signed in': ({ page, kept }) =>
    page.session > 0 || (page.drawn === undefined && (!page.isThere || kept === undefined)),
  'who is to leave has left once no end is at work': ({ leaving, page, requests }) =>
    leaving === undefined ||
    page.drawn !== leaving ||
    requests.some(({ at, outcome }) => (at === 'queue' || at === 'page') && outcome === undefined),
  'one wrapper serves a desktop': ({ serving }) => serving <= 1,
  'success is told only for the person whom the page has told of': isNot('success for somebody else'),
  'an older selection never replaces a newer one': isNot('older replaced newer'),
  'nobody is shown to another user than the one of the click': isNot('shown to another user'),
  'what has given way is not begun again': isNot('begun after it gave way'),
  'every request is answered once': isNot('answered twice'),
} as const satisfies Readonly<Record<string, (state: State) => boolean>>

function isNot(breach: Breach): (state: State) => boolean {
  return ({ broken }) => broken !== breach
}

/** What must hold where nothing moves any more: every request has been answered, or waits for a user to sign in. */
export const answeredInTheEnd = 'every request is answered in the end'

export type Invariant = keyof typeof invariants | typeof answeredInTheEnd

export function isAtRest({ requests, wrapper }: State): boolean {
  return requests.every(
    ({ at }) => at === 'journal' || at === 'done' || (at === 'queue' && wrapper.session === 0),
  )
}
