import { AppShell, Burger, Button, Group, NavLink, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { AccessibilityIcon, ClipboardIcon, ExitIcon, PersonIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Employee } from '../api/queries.ts'
import { currentHost } from '../bridge/host.ts'
import { Mark } from '../parts/look.tsx'
import { Notices, tell } from '../parts/notices.tsx'
import { signOut } from '../session/log-in.ts'
import { PartnerMark } from '../session/partner-mark.tsx'
import { usePartner } from '../session/visit.ts'
import { LinkedApplications, NewLinks } from './linked-applications.tsx'
import { PersonBar } from './person-bar.tsx'

const places = [
  { href: '/persons', label: 'Persons', icon: <PersonIcon /> },
  { href: '/exercises', label: 'Exercises', icon: <AccessibilityIcon /> },
  { href: '/workouts', label: 'Workouts', icon: <ClipboardIcon /> },
]

export function Shell({
  employee,
  focusedPersonId,
  children,
}: {
  readonly employee: Employee
  readonly focusedPersonId: number | undefined
  readonly children: ReactNode
}) {
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
        <Group h={60} px="lg" justify="space-between" wrap="nowrap" className="top-bar">
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
      tell({ subject: 'account', tone: 'warning', title: 'Not signed out', text: error.message }),
  })
  return (
    <Group gap="sm" wrap="nowrap">
      <div style={{ textAlign: 'right', lineHeight: 1.25 }}>
        <Text size="sm" fw={600} data-testid="signed-in-as" data-account-id={employee.accountId}>
          {employee.name}
        </Text>
        <Text size="xs" c="dimmed" className="wide-only">
          {employee.organizationName}
        </Text>
      </div>
      <LinkedApplications />
      <Tooltip label="End the session in this browser">
        <Button
          variant="default"
          size="sm"
          leftSection={<ExitIcon />}
          style={{ flexShrink: 0 }}
          data-testid="sign-out"
          loading={leave.isPending}
          onClick={() => leave.mutate()}
        >
          Sign out
        </Button>
      </Tooltip>
    </Group>
  )
}

/** Shows the wrapper's name and version, for support; empty in an ordinary browser. */
function HostedBy() {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isShown = true
    void currentHost()?.info.then(info => {
      if (info && isShown) setText([info.distributorName, info.version].filter(Boolean).join(' '))
    })
    return () => {
      isShown = false
    }
  }, [])
  if (text === undefined) return null
  return (
    <Text size="xs" c="dimmed" px="sm" mt="auto" data-testid="hosted-by">
      {text}
    </Text>
  )
}
