import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Employee } from '../session/employee.ts'
import { useFocusedPersonId } from '../session/visit.ts'
import { t } from '../texts/texts.ts'
import { PersonChooser } from './person-bar.tsx'
import { Shell } from './shell.tsx'

/** Loads the pages with their component library, which is larger than all that is drawn before. */
export const loadPages = () => import('../pages/pages.tsx')

/** The app of a signed-in employee: its pages by their addresses. */
export function SignedInApp({ employee }: { readonly employee: Employee }) {
  const { accountId } = employee
  const focusedPersonId = useFocusedPersonId(accountId)
  useTitle()
  return (
    <Shell employee={employee} focusedPersonId={focusedPersonId}>
      <Pages accountId={accountId} focusedPersonId={focusedPersonId} />
      <PersonChooser accountId={accountId} />
    </Shell>
  )
}

/** React's `lazy` would draw the pages 300 ms late: a fallback stays for that time. */
const pagesQuery = queryOptions({
  queryKey: ['pages'],
  queryFn: loadPages,
  staleTime: Number.POSITIVE_INFINITY,
  throwOnError: true,
})

function Pages(props: { readonly accountId: string; readonly focusedPersonId: number | undefined }) {
  const { data: pages } = useQuery(pagesQuery)
  return pages ? <pages.default {...props} /> : <p className="visually-hidden">{t('app.loading')}</p>
}

const places = ['persons', 'exercises', 'workouts'] as const

/** Names the tab after the page, never after a person, because browsers keep titles in their history. */
function useTitle(): void {
  const [path] = useLocation()
  const place = path.split('/')[1] ?? ''
  useEffect(() => {
    const key = places.find(known => known === place)
    document.title = key ? `${t(`${key}.title`)} – ${t('app.name')}` : t('app.name')
  }, [place])
}
