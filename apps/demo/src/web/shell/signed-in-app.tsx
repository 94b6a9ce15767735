import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Employee } from '../session/employee.ts'
import { useFocusedPersonId } from '../session/visit.ts'
import { t } from '../texts/texts.ts'
import { PersonChooser } from './person-bar.tsx'
import { Shell } from './shell.tsx'

/** Loads the pages with their component library, which is larger than all that is drawn before. */
export const loadPages = () => import('../pages/pages.tsx')
const Pages = lazy(loadPages)

/** The app of a signed-in employee: its pages by their addresses. */
export function SignedInApp({ employee }: { readonly employee: Employee }) {
  const { accountId } = employee
  const focusedPersonId = useFocusedPersonId(accountId)
  useTitle()
  return (
    <Shell employee={employee} focusedPersonId={focusedPersonId}>
      <Suspense fallback={<p className="visually-hidden">{t('app.loading')}</p>}>
        <Pages accountId={accountId} focusedPersonId={focusedPersonId} />
      </Suspense>
      <PersonChooser accountId={accountId} />
    </Shell>
  )
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
