import './shell.css'
import { Button, Text, Tooltip } from '@mantine/core'
import { AccessibilityIcon, ClipboardIcon, ExitIcon, PersonIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import { t } from 'i18next'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { Employee } from '../api/queries.ts'
import { useHostInfo } from '../bridge/host.ts'
import { Mark } from '../parts/frame.tsx'
import { Notices, tell } from '../parts/notices.tsx'
import { signOut } from '../session/log-in.ts'
import { PartnerMark } from '../session/partner-mark.tsx'
import { usePartner } from '../session/visit.ts'
import { errorText } from '../texts/texts.ts'
import { LinkedApplications, NewLinks } from './linked-applications.tsx'
import { PersonBar } from './person-bar.tsx'

const places = [
  { place: 'persons', icon: <PersonIcon /> },
  { place: 'exercises', icon: <AccessibilityIcon /> },
  { place: 'workouts', icon: <ClipboardIcon /> },
] as const

interface ShellProps {
  readonly employee: Employee
  readonly focusedPersonId: number | undefined
  readonly children: ReactNode
}

export function Shell({ employee, focusedPersonId, children }: ShellProps) {
  const header = useHeaderHeight()
  const [path] = useLocation()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('app.skip')}
      </a>
      <header className="shell-header" ref={header}>
        <div className="top-bar">
          <Mark />
          <b className="wide-only">{t('app.name')}</b>
          <FromPartner />
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
        <Notices>
          <NewLinks />
        </Notices>
        {children}
      </main>
    </div>
  )
}

/** Tells the style sheet how high the header and its first row are: long names need more lines. */
function useHeaderHeight() {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const header = ref.current
    if (!header) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const rows = header.firstElementChild?.getBoundingClientRect().height ?? 0
      style.setProperty('--header-height', `${header.getBoundingClientRect().height}px`)
      style.setProperty('--top-bar-height', `${rows}px`)
    })
    observer.observe(header)
    return () => observer.disconnect()
  }, [])
  return ref
}

function FromPartner() {
  const partner = usePartner()
  if (!partner) return null
  return (
    <div className="wide-only">
      <PartnerMark partner={partner} size={20} />
    </div>
  )
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
  return (
    <>
      <div className="account">
        <Text size="sm" fw={600} data-testid="signed-in-as" data-account-id={employee.accountId}>
          {employee.name}
        </Text>
        <Text size="xs" c="dimmed" className="wide-only">
          {employee.organizationName}
        </Text>
      </div>
      <LinkedApplications />
      <Tooltip label={t('shell.signOutHint')}>
        <Button
          variant="default"
          size="sm"
          leftSection={<ExitIcon />}
          data-testid="sign-out"
          loading={leave.isPending}
          onClick={() => leave.mutate()}
        >
          {t('app.signOut')}
        </Button>
      </Tooltip>
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
