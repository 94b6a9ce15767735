import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Employee } from '../api/queries.ts'
import { PersonBar } from '../focus/person-bar.tsx'
import { Notices } from '../notices/notices.tsx'
import { usePartner } from '../session/partner.ts'
import { PartnerMark } from '../session/partner-mark.tsx'
import { HostedBy } from './hosted-by.tsx'
import { ExercisesIcon, Mark, PersonsIcon, WorkoutsIcon } from './icons.tsx'
import { NewLinks } from './linked-applications.tsx'
import { SignedIn } from './signed-in.tsx'

/** What {@link Shell} shows. */
export interface ShellProps {
  readonly employee: Employee
  readonly focusedPersonId: number | undefined
  readonly children: ReactNode
}

const places = [
  { href: '/persons', label: 'Persons', icon: <PersonsIcon /> },
  { href: '/exercises', label: 'Exercises', icon: <ExercisesIcon /> },
  { href: '/workouts', label: 'Workouts', icon: <WorkoutsIcon /> },
]

/** The frame of every page: where one can go, who is signed in, who is in focus. */
export function Shell({ employee, focusedPersonId, children }: ShellProps) {
  const [isMenuOpen, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  return (
    <AppShell
      header={{ height: 112 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="lg"
    >
      <AppShell.Header withBorder={false}>
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <Group h={60} px="lg" justify="space-between" wrap="nowrap" bg="white">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isMenuOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
            />
            <Mark />
            <Text fw={700} size="lg" className="wide-only">
              Service
            </Text>
            <FromPartner />
          </Group>
          <SignedIn employee={employee} />
        </Group>
        <PersonBar personId={focusedPersonId} />
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main" withBorder>
        {places.map(({ href, label, icon }) => {
          const isHere = path === href || path.startsWith(`${href}/`)
          return (
            <NavLink
              key={href}
              component={Link}
              href={href}
              label={label}
              leftSection={icon}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              onClick={close}
              style={{ borderRadius: 8 }}
            />
          )
        })}
        <HostedBy />
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <Notices>
          <NewLinks />
        </Notices>
        {children}
      </AppShell.Main>
    </AppShell>
  )
}

/** Which partner's application this tab was opened from. */
function FromPartner() {
  const partner = usePartner()
  if (!partner) return null
  return (
    <div className="wide-only">
      <PartnerMark partner={partner} size={20} />
    </div>
  )
}
