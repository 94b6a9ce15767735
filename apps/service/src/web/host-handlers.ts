import type { Person } from '@service-link/protocol-core'
import { languageOf } from '@service-link/ui/language'
import { startTexts } from '@service-link/ui/page-language'
import {
  type CommandWay,
  HostCallError,
  type HostHandlers,
  type LaunchParameters,
} from '@service-link/wrapper-host/page'
import { navigate } from 'wouter/use-browser-location'
import { at, queryClient } from './api/queries.ts'
import { ApiFailure, answerOf, api } from './api/request.ts'
import { untilVisible } from './bridge/host.ts'
import { hasDrafts, restoreDrafts, takeDrafts } from './session/drafts.ts'
import { askForChoice, endFocus, focusedPersonId, setFocus } from './session/focus.ts'
import { sessionQuery, signOut } from './session/log-in.ts'
import { presentTabVisit } from './session/visit.ts'
import { keepSearch, type SearchState } from './state/searches.ts'
import { tabKeep } from './state/storage.ts'

/** Longest wait for a page to be on the screen, in milliseconds; below the wrapper's own 30 s. */
const visibleTimeoutMs = 25_000

/** Longest wait for the service to end a session, in milliseconds; below the wrapper's own 5 s. */
const signOutMs = 4000

/**
 * The handlers of the wrapper's commands. Each resolves when its effect is on the screen, and changes nothing more once its signal
 * aborts: the next command may be for another person.
 */
export const hostHandlers: HostHandlers = {
  async signOut({ reason }) {
    const unsaved = reason === 'journal' ? takeDrafts() : undefined
    const ended = signOut()
    if (!unsaved) return ended
    // The wrapper removes what the tab keeps, also if the service does not answer.
    const inTime = new Promise(resolve => setTimeout(resolve, signOutMs))
    await Promise.race([ended.catch(() => undefined), inTime])
    return { unsaved }
  },
  restoreUnsaved: ({ value }) => restoreDrafts(value),
  launchParameters: applyLaunchParameters,
  hasUnsavedWork: hasDrafts,
  selectPerson: (person, signal, by) => refusing(() => selectPerson(person, signal, by)),
  clearPerson: (_ids, signal) =>
    refusing(async () => {
      signedInAccount()
      endFocus()
      await untilShown('focus:nobody', signal)
    }),
  queryExercises: ({ text }, signal) =>
    refusing(() => show('/exercises', `exercises:${text}`, signal, keepSearch(text))),
  queryWorkouts: ({ text }, signal) =>
    refusing(() => show('/workouts', `workouts:${text}`, signal, keepSearch(text))),
  openWorkout: ({ id }, signal) =>
    refusing(async () => {
      // Loaded first, so that an unknown id does not change the page.
      await answerOf(api.workouts[':id'].$get(at(id), { init: { signal } }))
      await show(`/workouts/${id}`, `workout:${id}`, signal)
    }),
  getWorkoutsForClient: ({ customId, userId, from }, signal) =>
    refusing(async () => {
      const query = userId === undefined ? { customId, from } : { userId, from }
      const { workouts } = await answerOf(
        // Programs get the library's own texts, whatever the page's language is.
        api.workouts['for-person'].$post(
          { json: query },
          { headers: { 'accept-language': 'en' }, init: { signal } },
        ),
      )
      // A program gets what was given. The days on which it was done are between the patient and the clinic.
      return workouts.map(({ doneDays: _, ...workout }) => workout)
    }),
  getListOfUsers: ({ customId }, signal) =>
    refusing(async () => {
      const { users } = await answerOf(api.persons.all.$post({ json: { customId } }, { init: { signal } }))
      return users
    }),
  setCustomId: ({ userId, customId }, signal, by) =>
    refusing(async () => {
      const accountId = signedInAccount()
      const answer = await answerOf(
        api.persons[':id']['custom-id'].$put(
          { ...at(userId), query: { by }, json: { customId } },
          { init: { signal } },
        ),
      )
      // An earlier load would bring the former CustomId back.
      await queryClient.cancelQueries({ queryKey: ['person', userId] })
      queryClient.setQueryData(['person', userId], answer)
      await queryClient.invalidateQueries({ queryKey: ['persons'] })
      if (focusedPersonId(accountId) === userId)
        await untilShown(`focus:${userId}:${answer.person.customId ?? ''}`, signal)
    }),
}

/** Addresses of the pages that a launch may name by `tab=`. */
const tabs: Readonly<Record<string, string>> = {
  patients: '/persons',
  persons: '/persons',
  exercises: '/exercises',
  workouts: '/workouts',
}

/** Opens the page and chooses the language that a launch names. Other parameters and values are ignored. */
async function applyLaunchParameters({ tab = '', culture }: LaunchParameters): Promise<void> {
  const name = tab.toLowerCase()
  const address = Object.hasOwn(tabs, name) ? tabs[name] : undefined
  if (address) navigate(address)
  if (culture) startTexts(languageOf([culture, ...navigator.languages]))
}

const startTabKey = 'service-start-tab'

/** Takes the parameters of the wrapper's start. Every document gets them; their page is opened once. */
export function applyStartParameters({ tab, ...parameters }: LaunchParameters): Promise<void> {
  const isOpened = tab === undefined || tabKeep.read(startTabKey) === tab
  if (!isOpened) tabKeep.write(startTabKey, tab)
  return applyLaunchParameters(isOpened ? parameters : { ...parameters, tab })
}

async function selectPerson(person: Person, signal: AbortSignal, by?: CommandWay) {
  const accountId = signedInAccount()
  const answer = await answerOf(
    api.persons.select.$post({ query: { by }, json: person }, { init: { signal } }),
  )
  signal.throwIfAborted()
  if ('candidates' in answer) {
    const { sent, candidates } = answer
    askForChoice({ accountId, sent, candidates })
    throw ambiguous(
      candidates.length === 1
        ? 'belongs to a person of another name, date of birth or number'
        : 'belongs to several persons',
      ' The user was asked to choose in the window.',
    )
  }
  const { status, person: selected } = answer
  const employee = queryClient.getQueryData(sessionQuery.queryKey)?.employee?.name
  const { userId, customId = '' } = selected
  queryClient.setQueryData(['person', userId], { person: selected })
  void queryClient.invalidateQueries({ queryKey: ['persons'] })
  setFocus({ accountId, personId: userId })
  await Promise.all([
    show(`/persons/${userId}`, `person:${userId}`, signal),
    untilShown(`focus:${userId}`, signal),
  ])
  return { status, userId, customId, employee }
}

async function show(address: string, name: string, signal: AbortSignal, state?: SearchState): Promise<void> {
  signal.throwIfAborted()
  signedInAccount()
  navigate(address, { state })
  await untilShown(name, signal)
}

const untilShown = (name: string, signal: AbortSignal) =>
  untilVisible(name, AbortSignal.any([signal, AbortSignal.timeout(visibleTimeoutMs)]))

function signedInAccount(): string {
  refuseUndecidedTab()
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  if (session?.employee) return session.employee.accountId
  throw notSignedIn()
}

/** A tab with a waiting visit has no employee yet. The browser's session is the former employee's. */
function refuseUndecidedTab(): void {
  if (presentTabVisit().kind !== 'none') throw notSignedIn()
}

const notSignedIn = () => new HostCallError('ERR_NOT_SIGNED_IN', 'Nobody is signed in to the web app.')

function ambiguous(problem: string, done = ''): HostCallError {
  const message = `The CustomId or identity number ${problem}.${done} Send userid to say which.`
  return new HostCallError('ERR_ARGS', message, [{ path: 'customId', problem }])
}

/** Turns the service's refusal into a refusal for the wrapper. The service's messages contain no personal data. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  refuseUndecidedTab()
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    if (error.code === 'ERR_AMBIGUOUS_PERSON') throw ambiguous('belongs to several persons')
    if (error.status === 401 || error.code === 'ERR_OTHER_ACCOUNT') throw notSignedIn()
    if (error.code === 'ERR_NOT_FOUND') throw new HostCallError('ERR_NOT_FOUND', error.message)
    if (error.status === 422) throw new HostCallError('ERR_ARGS', error.message)
    throw new HostCallError('ERR_WEB_APP', error.message)
  }
}
