/**
 * A model of one desktop: journals that put persons in focus, a wrapper, the page in its window, the service, and the user. The
 * explorer copies a state before each step, so a step may change its copy.
 *
 * ```text
 *  journals, launches          wrapper                    page                      service
 *    click ───── pipe ──────▶  take: later supersedes
 *    launch ─ claim, hand ──▶  earlier, not drawn;
 *                              an end stays in force
 *    give up ───────────────▶  begin: one at a time ──▶  take: refuses a former
 *                                                        user's call, stops earlier ──▶ ask
 *                              hear ◀── focus ────────── draw ◀─────────────────────── answer
 *    told ◀─────────────────── succeed ◀── answered ──── answer
 *                              follow ◀── signed in, out  user: signs in and out, chooses
 *
 *  world: page reloads · browser killed · wrapper killed or closed · service away · session over · page too slow
 * ```
 */

export type Person = 'A' | 'B'

/** Who is in focus. */
export type Focus = Person | undefined

/** What a journal's call, or a launch that waits for its end, asks for. */
export interface Wish {
  readonly does: 'select' | 'clear' | 'signout'
  readonly person?: Person
  /** A launch is a process of its own: it starts a wrapper if none is there. */
  readonly isLaunch?: true
}

/** `gone`: the wrapper or its page went away, and whether it had an effect is not known. */
export type Outcome =
  | 'shown'
  | 'cleared'
  | 'signed-out'
  | 'superseded'
  | 'refused'
  | 'other-user'
  | 'gone'
  | 'given-up'

/** One wish on its way. Its place in {@link State.requests} is its id. */
export interface Request {
  readonly wish: Wish
  readonly journal: number
  at: 'journal' | 'starting' | 'pipe' | 'queue' | 'page' | 'done'
  /** Session that it belongs to; 0 until somebody is signed in. */
  session: number
  /** Place in the order in which the wrapper took what changes the focus; 0 until then. */
  order: number
  outcome: Outcome | undefined
  /** Whether its caller has given up, and the wrapper has not heard of it. */
  isCancelled: boolean
  /** Number of pages that it was given to and that went away. */
  losses: number
  /** Whether something else was accepted after it, or chosen while the page was at work for it: it may not be begun any more. */
  isPassed: boolean
}

/** Work of the page for a call. */
export interface Work {
  readonly request: number
  /** `asked`: the service is asked. `known`, `refused`: it has answered. */
  stage: 'asked' | 'known' | 'refused' | 'drawn'
  isStopped: boolean
}

export type ToPage =
  | { readonly type: 'call'; readonly request: number; readonly session: number }
  | { readonly type: 'stop'; readonly request: number }
  | { readonly type: 'signOut' }

export type ToWrapper =
  | { readonly type: 'hello'; readonly session: number; readonly focus: Focus }
  | { readonly type: 'answered' | 'refused' | 'stopped'; readonly request: number }
  /** Who is shown now, by a call or by the user's choice. */
  | { readonly type: 'focus'; readonly focus: Focus }
  | { readonly type: 'signedIn'; readonly session: number }
  | { readonly type: 'signedOut' }

/** What the user sees. It dies with its document. */
export interface Page {
  /** Whether a document is there and takes messages. */
  isThere: boolean
  /** Session of the user that it shows; 0: the log-in page. */
  session: number
  drawn: Focus
  works: Work[]
  toPage: ToPage[]
  toWrapper: ToWrapper[]
}

export interface Wrapper {
  /** `leaving`: it takes nothing more, and holds the lock until its window is closed. */
  phase: 'absent' | 'serving' | 'leaving'
  /** Session that it believes in; 0: nobody, or not yet known. */
  session: number
  /** Person whom the page has told of last. */
  focus: Focus
  /** The last order that was given. */
  order: number
  /** Whether the page has said hello. */
  isConnected: boolean
  /** Waiting requests, in their order. */
  queue: number[]
  /** Request that the page is at work for, given up or not. */
  running: number | undefined
  /** Whether the page has told of a change of focus, or of its user, since that began. */
  isFollowed: boolean
  /** Whether it ends the session: it waits for the page, and then opens a new window. */
  isEnding: boolean
  /** Whether the page of a new browser is to be loaded again, with the session of the one before. */
  isRestoring: boolean
  /** Whether it is to clear up behind a user who signed out in the page. */
  isToClearUp: boolean
}

export interface Service {
  isUp: boolean
  /** Session of the browser's cookie that the service knows; 0: none. */
  session: number
}

/** How often each thing outside the program may still happen. */
export interface Budget {
  kills: number
  reloads: number
  crashes: number
  outages: number
  /** The service knows no such person. */
  refusals: number
  choices: number
  signIns: number
  signOuts: number
  /** A caller gives up, or its time is over. */
  givingUps: number
  /** The page has used the whole time limit of a command, and works on. */
  overruns: number
}

export const noBudget: Budget = {
  kills: 0,
  reloads: 0,
  crashes: 0,
  outages: 0,
  refusals: 0,
  choices: 0,
  signIns: 0,
  signOuts: 0,
  givingUps: 0,
  overruns: 0,
}

/** What a step does that it may not, and no state shows. */
export type Breach =
  | 'success for somebody else'
  | 'older replaced newer'
  | 'shown to another user'
  | 'begun after it gave way'
  | 'answered twice'

export interface State {
  requests: Request[]
  wrapper: Wrapper
  /** Wrappers that serve this desktop. */
  serving: number
  page: Page
  service: Service
  /** Person whom the browser keeps for the documents of one session: one that loads anew shows it. */
  kept: Focus
  /** Number of the last session. */
  sessions: number
  /** What a journal was promised: it is on the screen until something else is accepted. */
  promised: Person | 'nobody' | undefined
  /** Request that was begun or drawn last, while nothing was accepted or chosen since. */
  undisturbed: number | undefined
  /** Person whom the wrapper knew in focus when it accepted an end, and who is to leave; also by a later choice. */
  leaving: Focus
  /** The highest order that was drawn. */
  drawnOrder: number
  budget: Budget
  /** What a step did that it may not, and no state shows. */
  broken: Breach | undefined
}

export const noPage = (): Page => ({
  isThere: false,
  session: 0,
  drawn: undefined,
  works: [],
  toPage: [],
  toWrapper: [],
})

export const noWrapper = (): Wrapper => ({
  phase: 'absent',
  session: 0,
  focus: undefined,
  order: 0,
  isConnected: false,
  queue: [],
  running: undefined,
  isFollowed: false,
  isEnding: false,
  isRestoring: false,
  isToClearUp: false,
})

export function beginning(journals: readonly (readonly Wish[])[], budget: Budget): State {
  return {
    requests: journals.flatMap((wishes, journal) =>
      wishes.map(
        (wish): Request => ({
          wish,
          journal,
          at: 'journal',
          session: 0,
          order: 0,
          outcome: undefined,
          isCancelled: false,
          losses: 0,
          isPassed: false,
        }),
      ),
    ),
    wrapper: noWrapper(),
    serving: 0,
    page: noPage(),
    service: { isUp: true, session: 0 },
    kept: undefined,
    sessions: 0,
    promised: undefined,
    undisturbed: undefined,
    leaving: undefined,
    drawnOrder: 0,
    budget: { ...budget },
    broken: undefined,
  }
}

/** A copy whose every changeable part is its own. Messages are never changed. */
export function copyOf(state: State): State {
  const { page, wrapper } = state
  return {
    ...state,
    requests: state.requests.map(request => ({ ...request })),
    wrapper: { ...wrapper, queue: [...wrapper.queue] },
    page: {
      ...page,
      works: page.works.map(work => ({ ...work })),
      toPage: [...page.toPage],
      toWrapper: [...page.toWrapper],
    },
    service: { ...state.service },
    budget: { ...state.budget },
  }
}

/** A request in the name of a step, such as `select A (0)`. */
export function nameOf({ requests }: State, id: number): string {
  const { does, person = '' } = requests[id]?.wish ?? { does: 'nothing' }
  return `${does} ${person && `${person} `}(${id})`
}

/** Offers a step that is possible now: its name, and what it changes in a copy of the state. */
export type Offer = (name: string, change: (next: State) => void) => void
