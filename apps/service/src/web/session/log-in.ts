import { shared } from '@service-link/ui/shared'
import { queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { personQuery, queryClient } from '../api/queries.ts'
import { ApiFailure, answerOf, api, expectAccount } from '../api/request.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { forgetSearches } from '../state/searches.ts'
import { browserKeep, readKept } from '../state/storage.ts'
import { errorText, t } from '../texts/texts.ts'
import { forgetDrafts } from './drafts.ts'
import { dropChoice, keepContext, observeContexts, presentFocus, setFocus } from './focus.ts'
import { forgetInFrame } from './journal-frame.ts'
import { focusContact, keepPartner, keepPendingVisit, nameOf, type PendingVisit } from './visit.ts'

/** Between two looks whether the partner has ended the context, in milliseconds. */
const watchMs = 3000

/** Item of the local storage that the page of a signed end sets: other tabs of the browser get an event. */
export const endStorageKey = 'service-link-end'

/**
 * The signed-in employee. The page's first answer has the person in focus too. If the employee changes, the page drops
 * the former one's data.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client }) => {
    const focus = presentFocus()
    const isKnown = focus && client.getQueryData(personQuery(focus.personId).queryKey) !== undefined
    const query = focus && !isKnown ? { focus: String(focus.personId) } : {}
    const { employee, person, contexts, ended } = await answerOf(api.session.$get({ query }))
    if (expectAccount(employee?.accountId)) {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      dropChoice()
    }
    if (person && employee?.accountId === focus?.accountId)
      client.setQueryData(personQuery(person.userId).queryKey, { person })
    if (employee) observeContexts(contexts, employee.linkId)
    return { employee, isWatched: contexts.length > 0, ended }
  },
  select: ({ employee }) => employee,
  staleTime: 0,
  refetchOnMount: false,
  // A partner may end context and session from its server: an answer of the service alone tells.
  refetchInterval: ({ state }) => state.data?.isWatched && watchMs,
  refetchIntervalInBackground: true,
})

export type Employee = NonNullable<InferResponseType<typeof api.session.$get>['employee']>

/** Item of the local storage with the account that signed in last. The partner link's pages share it. */
export const accountStorageKey = 'service-link-account'

/** Names of accounts that signed in in this browser and have not signed out. */
const namesKey = 'service-account-names'
const namesSchema = z.record(z.string(), z.string())

const readNames = () => readKept(browserKeep, namesKey, namesSchema) ?? {}

const reasonInBrowser = shared<'signedOut' | 'endedElsewhere' | undefined>(undefined)

/**
 * Why nobody is signed in: the session ended by itself, or the user ended it, on this page or in another tab. The
 * browser knows the last account until a sign-out.
 */
export function reasonOfLogIn(): 'ended' | 'signedOut' | 'endedElsewhere' | undefined {
  return browserKeep.read(accountStorageKey) === undefined ? reasonInBrowser.get() : 'ended'
}

/** Why the session has ended, for the wrapper's other programs. */
export function endReason(): 'user' | 'time' | 'partnerlocked' {
  if (reasonOfLogIn() === 'signedOut') return 'user'
  return queryClient.getQueryData(sessionQuery.queryKey)?.ended ?? 'time'
}

/** Forgets all accounts of this browser at a sign-out. */
function forgetAccounts(): void {
  browserKeep.write(namesKey, undefined)
  browserKeep.write(accountStorageKey, undefined)
}

/** Warns if another account has replaced the signed-in account of this browser. */
export function useAccountNotice(employee: Employee | undefined, replacedId: string | undefined): void {
  const shownId = useRef<string>(undefined)
  const replacedAtStart = useRef(replacedId)
  useEffect(() => {
    const formerId = shownId.current ?? replacedAtStart.current ?? browserKeep.read(accountStorageKey)
    if (!employee) {
      if (reasonInBrowser.get() === 'signedOut') shownId.current = undefined
      return
    }
    shownId.current = employee.accountId
    reasonInBrowser.set('endedElsewhere')
    replacedAtStart.current = undefined
    forgetDrafts(employee.accountId)
    browserKeep.write(namesKey, JSON.stringify({ ...readNames(), [employee.accountId]: employee.name }))
    browserKeep.write(accountStorageKey, employee.accountId)
    if (formerId === undefined || formerId === employee.accountId) return
    forgetSearches()
    tell({
      subject: 'account',
      tone: 'warning',
      title: t('account.changed', { name: employee.name }),
      text: t('account.changedText', { former: readNames()[formerId] ?? t('account.another') }),
    })
  }, [employee])
}

/** Logs an employee in. A waiting visit then waits for the confirmation of its link. */
export async function logIn(
  credentials: { readonly email: string; readonly password: string },
  visit: PendingVisit | undefined,
): Promise<void> {
  await answerOf(api.auth['sign-in'].email.$post({ json: credentials }))
  dismissNotice('visit')
  keepPartner(undefined)
  const accountId = await readAccountId()
  // The same account goes on where it was.
  if (presentFocus()?.accountId !== accountId) setFocus(undefined)
  keepPendingVisit(visit && { ...visit, accountId })
}

/** Links the visit's employee to the account after the owner's confirmation, and completes the visit. */
export async function confirmLink(visit: PendingVisit, accountId: string): Promise<void> {
  try {
    const { contact, context } = await answerOf(
      api['partner-visits'].$post({ json: { handle: visit.handle, confirmed: true } }),
    )
    keepContext(context)
    focusContact(contact, accountId, visit.partner)
    keepPartner(visit.partner)
    tell({
      subject: 'visit',
      tone: 'success',
      title: t('visit.connected', { partner: nameOf(visit.partner) }),
    })
  } catch (error) {
    const text = error instanceof ApiFailure ? errorText(error) : t('visit.openAgain')
    const title = t('visit.ended', { partner: nameOf(visit.partner) })
    tell({ subject: 'visit', tone: 'warning', title, text })
  } finally {
    keepPendingVisit(undefined)
  }
}

export async function signOut(): Promise<void> {
  await answerOf(api.auth['sign-out'].$post({ json: {} }))
  forgetAccounts()
  reasonInBrowser.set('signedOut')
  keepPartner(undefined)
  keepPendingVisit(undefined)
  forgetInFrame()
  setFocus(undefined)
  forgetDrafts()
  forgetSearches()
  await queryClient.invalidateQueries({ queryKey: ['session'] })
}

/**
 * The browser did not keep the session.
 *
 * @remedy Allow cookies for this page.
 * @retry after the change
 * @seenBy user
 */
const noCookies = () =>
  new ApiFailure(0, 'ERR_COOKIES', 'The browser did not keep the session. Allow cookies for this page.')

async function readAccountId(): Promise<string> {
  const { employee } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (employee) return employee.accountId
  throw noCookies()
}
