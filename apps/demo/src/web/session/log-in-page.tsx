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
import { t } from 'i18next'
import { useEffect, useState } from 'react'
import { type Employee, signInHintQuery } from '../api/queries.ts'
import { currentHost } from '../bridge/host.ts'
import { isolated } from '../parts/format.ts'
import { LogInFrame } from '../parts/look.tsx'
import { Notices } from '../parts/notices.tsx'
import { errorText } from '../texts/texts.ts'
import { logIn, reasonOfLogIn } from './log-in.ts'
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
    <LogInFrame title={t('logIn.title')} subtitle={t('logIn.subtitle')}>
      <Notices />
      {visit && !isSessionLost ? (
        <VisitNote visit={visit} onDrop={onDropVisit} />
      ) : (
        <Reason tabVisit={tabVisit} isSessionLost={isSessionLost} present={present} />
      )}
      <Paper className="card" p="xl">
        <form
          data-testid="login-form"
          aria-label={t('logIn.form')}
          onSubmit={event => {
            event.preventDefault()
            attempt.mutate()
          }}
        >
          <Stack>
            {attempt.error && (
              <Alert color="red" title={t('logIn.failed')} role="alert" data-testid="login-error">
                {errorText(attempt.error)}
              </Alert>
            )}
            {present && (
              <Text size="sm" c="dimmed">
                {t('logIn.replaces', { name: present.name })}
              </Text>
            )}
            {present && !visit && (
              <Button variant="default" fullWidth size="md" onClick={onContinue}>
                {t('logIn.continueAs', { name: present.name })}
              </Button>
            )}
            <TextInput
              label={t('logIn.email')}
              name="email"
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={event => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('logIn.password')}
              visibilityToggleButtonProps={{ 'aria-label': t('logIn.showPassword') }}
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
              {t(visit ? 'logIn.submitVisit' : 'logIn.submit')}
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

type ReasonProps = Pick<LogInPageProps, 'tabVisit' | 'isSessionLost' | 'present'>

/** Says why the page asks for a log-in. */
function Reason({ tabVisit, isSessionLost, present }: ReasonProps) {
  const isHosted = useIsHosted()
  const isExpired = tabVisit.kind === 'left' && tabVisit.because === 'expired'
  const reason = isSessionLost
    ? 'sessionLost'
    : isExpired
      ? 'expired'
      : present
        ? undefined
        : (reasonOfLogIn() ?? (isHosted ? 'wrapper' : undefined))
  if (reason === undefined) return null
  return (
    <Alert
      color={isSessionLost || isExpired ? 'orange' : 'teal'}
      title={t(`logIn.${reason}`)}
      data-testid={testIds[reason]}
    >
      {t(`logIn.${reason}Text`)}
    </Alert>
  )
}

const testIds = {
  sessionLost: 'session-lost',
  expired: 'visit-expired',
  ended: 'session-ended',
  signedOut: 'signed-out',
  wrapper: 'opened-by-wrapper',
}

/** Whether the page is in a wrapper. */
function useIsHosted(): boolean {
  const [isHosted, setIsHosted] = useState(false)
  useEffect(() => {
    void currentHost()?.info.then(info => setIsHosted(info !== undefined))
  }, [])
  return isHosted
}

function VisitNote({ visit, onDrop }: { readonly visit: PendingVisit; readonly onDrop: () => void }) {
  const { partner, employee } = visit
  return (
    <Paper className="card" p="md" data-testid="pending-visit">
      <PartnerMark partner={partner} size={26} />
      <Text fw={650} mt="sm">
        {t('logIn.visit', { partner: isolated(nameOf(partner)) })}
      </Text>
      <Text size="sm" mt={4}>
        {t('logIn.visitText', {
          user: isolated(employeeNameOf(visit) ?? t('visit.userId', { id: employee.id })),
          organization: isolated(
            employee.organizationName ?? t('visit.organizationId', { id: employee.organizationId }),
          ),
        })}
      </Text>
      <Anchor component="button" type="button" size="sm" mt={8} ta="start" onClick={onDrop}>
        {t('logIn.notMe')}
      </Anchor>
    </Paper>
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
        {t('logIn.demoAccounts')}
      </Text>
      <Stack gap={6}>
        {data.accounts.map(account => (
          <Group key={account.email} justify="space-between" gap="xs">
            <Anchor component="button" type="button" size="sm" onClick={() => onChoose(account)}>
              {account.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {t('logIn.demoPassword')} <Code>{account.password}</Code>
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
