import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Employee, signInHintQuery } from '../api/queries.ts'
import { LogInFrame } from '../parts/look.tsx'
import { Notices } from '../parts/notices.tsx'
import { logIn } from './log-in.ts'
import { PartnerMark } from './partner-mark.tsx'
import { employeeNameOf, nameOf, type PendingVisit, type TabVisit } from './visit.ts'

interface LogInPageProps {
  readonly tabVisit: TabVisit
  /** The employee who is signed in in this browser. The log-in replaces them. */
  readonly present: Employee | undefined
  /** A visit signed somebody in, but the browser did not keep the session. */
  readonly isSessionLost: boolean
  readonly onDropVisit: () => void
  /** The signed-in employee continues without the visit. */
  readonly onContinue: () => void
}

export function LogInPage(props: LogInPageProps) {
  const { tabVisit, present, isSessionLost, onDropVisit, onContinue } = props
  const visit = tabVisit.kind === 'waiting' ? tabVisit.visit : undefined
  const [email, setEmail] = useState(visit?.employee.email ?? '')
  const [password, setPassword] = useState('')
  const attempt = useMutation({ mutationFn: () => logIn({ email, password }, visit) })
  return (
    <LogInFrame title="Sign in to Service" subtitle="Exercises and workouts for the people you treat">
      <Notices />
      {isSessionLost && (
        <Alert color="orange" title="The browser did not keep the session" data-testid="session-lost">
          Allow cookies for this page, and open the person in your application again.
        </Alert>
      )}
      {visit && (
        <Group justify="center">
          <PartnerMark partner={visit.partner} size={26} />
        </Group>
      )}
      {visit && <VisitNote visit={visit} onDrop={onDropVisit} />}
      {tabVisit.kind === 'left' && tabVisit.because === 'expired' && (
        <Alert color="orange" title="The visit has waited too long" data-testid="visit-expired">
          Nobody was signed in for it. Open the person in your application again.
        </Alert>
      )}
      <Paper className="card" p="xl">
        <form
          data-testid="login-form"
          aria-label="Sign in"
          onSubmit={event => {
            event.preventDefault()
            attempt.mutate()
          }}
        >
          <Stack>
            {attempt.error && (
              <Alert color="red" title="Not signed in" role="alert" data-testid="login-error">
                {attempt.error.message}
              </Alert>
            )}
            {present && (
              <Text size="sm" c="dimmed">
                {present.name} is signed in in this browser. Signing in here takes their place.
              </Text>
            )}
            {present && !visit && (
              <Button variant="default" fullWidth size="md" onClick={onContinue}>
                Continue as {present.name}
              </Button>
            )}
            <TextInput
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={password}
              onChange={event => setPassword(event.currentTarget.value)}
            />
            <Button
              type="submit"
              fullWidth
              size="md"
              mt="xs"
              loading={attempt.isPending}
              data-testid="login-submit"
            >
              {visit ? 'Sign in and continue' : 'Sign in'}
            </Button>
          </Stack>
        </form>
      </Paper>
      <DemoAccounts
        onChoose={account => {
          setEmail(account.email)
          setPassword(account.password)
        }}
      />
    </LogInFrame>
  )
}

function VisitNote({ visit, onDrop }: { readonly visit: PendingVisit; readonly onDrop: () => void }) {
  const { partner, employee } = visit
  return (
    <Alert
      color="teal"
      variant="white"
      title={`${nameOf(partner)} opens a person for you`}
      data-testid="pending-visit"
      style={{ border: '1px solid #b3e2db' }}
    >
      <Text size="sm">
        This is the first visit of <bdi>{employeeNameOf(visit) ?? `the user with the ID ${employee.id}`}</bdi>{' '}
        (<bdi>{employee.organizationName ?? `organization ${employee.organizationId}`}</bdi>). Sign in, and
        you are asked whether that user may come straight in with your account from then on.
      </Text>
      <Anchor component="button" type="button" size="sm" mt={8} onClick={onDrop}>
        This is not me: sign in without linking
      </Anchor>
    </Alert>
  )
}

/** The demo's accounts; empty outside the demo. */
function DemoAccounts({
  onChoose,
}: {
  readonly onChoose: (account: { readonly email: string; readonly password: string }) => void
}) {
  const { data } = useQuery(signInHintQuery)
  if (!data || data.accounts.length === 0) return null
  return (
    <Paper className="card" p="md" data-testid="demo-accounts">
      <Text size="sm" fw={600} mb={6}>
        Demo accounts
      </Text>
      <Stack gap={6}>
        {data.accounts.map(account => (
          <Group key={account.email} justify="space-between" wrap="nowrap">
            <Anchor component="button" type="button" size="sm" onClick={() => onChoose(account)}>
              {account.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              password <Code>{account.password}</Code>
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
