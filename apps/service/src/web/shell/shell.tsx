import './shell.css'
import { AccessibilityIcon, ClipboardIcon, ExitIcon, PersonIcon } from '@radix-ui/react-icons'
import { Mark } from '@service-link/ui/plain'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useHostInfo } from '../bridge/host.ts'
import { heightAs } from '../parts/height.ts'
import { catchKeyboard } from '../parts/keyboard.ts'
import { Notices, tell } from '../parts/notices.tsx'
import { useDrafts } from '../session/drafts.ts'
import { useFocusedPersonId } from '../session/focus.ts'
import { useKeptDraft } from '../session/kept-draft.ts'
import { type Employee, signOut } from '../session/log-in.ts'
import { PartnerMark } from '../session/partner-mark.tsx'
import { usePartner } from '../session/visit.ts'
import { errorText, t } from '../texts/texts.ts'
import { LinkedApplications, NewLinks } from './linked-applications.tsx'
import { PersonBar } from './person-bar.tsx'
import { PersonChooser } from './person-chooser.tsx'

const places = [
  { place: 'persons', icon: <PersonIcon /> },
  { place: 'exercises', icon: <AccessibilityIcon /> },
  { place: 'workouts', icon: <ClipboardIcon /> },
] as const

// Long names need more lines.
const headerHeight = heightAs('--header-height')
const topBarHeight = heightAs('--top-bar-height')

interface ShellProps {
  readonly employee: Employee
  readonly focusedPersonId: number | undefined
  readonly children: ReactNode
}

/** The frame of all pages. What it surrounds is drawn after the person in focus is on the screen. */
function Shell({ employee, focusedPersonId, children }: ShellProps) {
  const isDrawn = useDrawn()
  const partner = usePartner()
  const [path] = useLocation()
  useKeyboardOfPage(path)
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('app.skip')}
      </a>
      <header className="shell-header" ref={headerHeight}>
        <div className="row top-bar" ref={topBarHeight}>
          <Mark />
          <b className="wide-only">{t('app.name')}</b>
          {partner && (
            <div className="wide-only">
              <PartnerMark partner={partner} size={20} />
            </div>
          )}
          <SignedIn employee={employee} />
        </div>
        <PersonBar accountId={employee.accountId} personId={focusedPersonId} />
      </header>
      <nav className="shell-nav" aria-label={t('shell.main')}>
        {places.map(({ place, icon }) => (
          <Link
            key={place}
            className="shell-place"
            href={`/${place}`}
            aria-current={path.split('/')[1] === place ? 'page' : undefined}
          >
            {icon}
            {t(`${place}.title`)}
          </Link>
        ))}
        <HostedBy />
      </nav>
      <main className="shell-main" id="content" tabIndex={-1}>
        <Notices>{isDrawn && <NewLinks />}</Notices>
        {isDrawn && children}
      </main>
    </div>
  )
}

/** Whether the browser had the time of a frame to draw what came first. A hidden page has no frames. */
function useDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true), 20)
    return () => clearTimeout(timer)
  }, [])
  return isDrawn
}

/** Puts the keyboard on the heading of the page that takes the place of what had it, such as a form. */
function useKeyboardOfPage(path: string): void {
  const isSet = document.activeElement !== document.body
  useEffect(() => {
    if (isSet) catchKeyboard(path.split('/')[2] ? '.pane-detail h2' : '#content h1')
  }, [path, isSet])
}

function SignedIn({ employee }: { readonly employee: Employee }) {
  const leave = useMutation({
    mutationFn: signOut,
    onError: error =>
      tell({
        subject: 'account',
        tone: 'warning',
        title: t('shell.notSignedOut'),
        text: errorText(error),
      }),
  })
  const hasDrafts = Object.keys(useDrafts(employee.accountId)).length > 0
  const askFirst = () =>
    tell({
      subject: 'account',
      tone: 'warning',
      title: t('drafts.signOut'),
      action: { text: t('app.signOut'), run: () => leave.mutate() },
    })
  return (
    <>
      <div className="account">
        <b data-testid="signed-in-as" data-account-id={employee.accountId}>
          {employee.name}
        </b>
        <p className="wide-only">{employee.organizationName}</p>
      </div>
      <LinkedApplications />
      <button
        type="button"
        className="button quiet-button bar-control"
        data-testid="sign-out"
        disabled={leave.isPending}
        onClick={() => (hasDrafts ? askFirst() : leave.mutate())}
      >
        <ExitIcon className="wide-only" />
        {t('app.signOut')}
      </button>
    </>
  )
}

/** Shows the wrapper's name and version, for support; empty in an ordinary browser. */
function HostedBy() {
  const info = useHostInfo()
  if (!info) return null
  return (
    <p className="hosted-by" data-testid="hosted-by">
      {[info.distributorName, info.version].filter(Boolean).join(' ')}
    </p>
  )
}

/** Loads the pages with their component library, which is larger than all that is drawn before. */
export const loadPages = () => import('../pages/pages.tsx')

/** The app of a signed-in employee: its pages by their addresses. */
export function SignedInApp({ employee }: { readonly employee: Employee }) {
  const { accountId } = employee
  const focusedPersonId = useFocusedPersonId(accountId)
  useTitle()
  useKeptDraft(accountId)
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

/** Names the tab after the page, never after a person, because browsers keep titles in their history. */
function useTitle(): void {
  const [path] = useLocation()
  const [, place = '', id] = path.split('/')
  const key = places.find(known => known.place === place)?.place
  const title = key && `${t(id === undefined ? `${key}.title` : `${key}.one`)} – ${t('app.name')}`
  useEffect(() => {
    document.title = title ?? t('app.name')
  }, [title])
}
