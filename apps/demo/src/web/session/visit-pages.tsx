import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { t } from 'i18next'
import type { Employee } from '../api/queries.ts'
import { isolated } from '../parts/format.ts'
import { LogInFrame, Mark } from '../parts/look.tsx'
import { confirmLink } from './log-in.ts'
import { PartnerMark } from './partner-mark.tsx'
import { employeeNameOf, keepPendingVisit, nameOf, type PendingVisit, type TabVisit } from './visit.ts'

interface ConfirmLinkProps {
  readonly visit: PendingVisit
  readonly employee: Employee
}

/**
 * Asks the account's owner after the first log-in whether the partner's employee may sign in as them. Nothing is
 * linked before.
 */
export function ConfirmLink({ visit, employee }: ConfirmLinkProps) {
  const { partner, sentFrom } = visit
  const partnerName = nameOf(partner)
  const confirm = useMutation({ mutationFn: () => confirmLink(visit, employee.accountId) })
  const isBusy = confirm.isPending || confirm.isSuccess
  return (
    <main className="log-in-page" data-testid="confirm-link">
      <Stack w="100%" maw={560} gap="md">
        <Stack align="center" gap={10}>
          <Mark size={46} />
          <PartnerMark partner={partner} size={26} />
          <Title order={1} ta="center">
            {t('visit.ask', { partner: isolated(partnerName) })}
          </Title>
        </Stack>
        <Paper className="card" p="xl">
          <Stack>
            <NameWarning visit={visit} accountName={employee.name} />
            <dl className="link-facts">
              <dt>{t('visit.application')}</dt>
              <dd>{partnerName}</dd>
              <dt>{t('visit.organizationThere')}</dt>
              <dd>{namedId(visit.employee.organizationName, visit.employee.organizationId)}</dd>
              <dt>{t('visit.userThere')}</dt>
              <dd data-testid="linked-user">{namedId(employeeNameOf(visit), visit.employee.id)}</dd>
              <dt>{t('visit.accountHere')}</dt>
              <dd>
                {employee.name}, {employee.organizationName}
              </dd>
              <dt>{t('visit.cameFrom')}</dt>
              <dd data-testid="sent-from">{sentFrom ?? t('visit.noPage')}</dd>
            </dl>
            <div>
              <b>{t('visit.thenCan', { partner: isolated(partnerName) })}</b>
              <ul className="powers">
                <li>{t('visit.canSignIn')}</li>
                <li>{t('visit.canSee')}</li>
                <li>{t('visit.canChoose', { organization: employee.organizationName })}</li>
              </ul>
            </div>
            <Text size="sm">{t('visit.onlyIf', { partner: isolated(partnerName) })}</Text>
            <Group justify="flex-end">
              <Button
                variant="default"
                data-testid="link-decline"
                disabled={isBusy}
                onClick={() => keepPendingVisit(undefined)}
              >
                {t('visit.no')}
              </Button>
              <Button data-testid="link-confirm" loading={isBusy} onClick={() => confirm.mutate()}>
                {t('visit.yes')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </Stack>
    </main>
  )
}

function NameWarning({ visit, accountName }: { readonly visit: PendingVisit; readonly accountName: string }) {
  const name = employeeNameOf(visit)
  if (name !== undefined && comparable(name) === comparable(accountName)) return null
  return (
    <Alert
      color="orange"
      data-testid="name-warning"
      title={t(name === undefined ? 'visit.noName' : 'visit.namesDiffer')}
    >
      {name === undefined
        ? t('visit.noNameText', { id: visit.employee.id })
        : t('visit.namesDifferText', { name: isolated(name), account: isolated(accountName) })}
    </Alert>
  )
}

/** Shows name and ID, because two users of a partner may have the same name. */
function namedId(name: string | undefined, id: string) {
  return (
    <>
      <bdi>{name}</bdi> <span className="link-id">ID {id}</span>
    </>
  )
}

/** Ignores case, spaces and order: `Solberg Ingrid` equals `Ingrid Solberg`. */
function comparable(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
    .join(' ')
}

interface FramedLogInProps {
  readonly tabVisit: TabVisit
  readonly isSessionLost: boolean
}

/**
 * A frame asks for no password, because its address cannot be seen. A form posts the waiting visit to a new window,
 * so that its handle is in no address.
 */
export function FramedLogIn({ tabVisit, isSessionLost }: FramedLogInProps) {
  return (
    <LogInFrame title={t('app.name')}>
      <Paper className="card" p="xl">
        {tabVisit.kind === 'waiting' ? (
          <OwnWindow visit={tabVisit.visit} />
        ) : (
          <Text data-testid="framed-signed-out">
            {t(
              isSessionLost
                ? 'visit.frameSessionLost'
                : tabVisit.kind === 'none'
                  ? 'visit.frameNone'
                  : 'visit.frameLeft',
            )}
          </Text>
        )}
      </Paper>
    </LogInFrame>
  )
}

function OwnWindow({ visit }: { readonly visit: PendingVisit }) {
  return (
    <form method="post" action="/partner/log-in" target="_blank" data-testid="framed-log-in" rel="noopener">
      <input type="hidden" name="visit" value={JSON.stringify(visit)} />
      <Stack>
        <PartnerMark partner={visit.partner} size={22} />
        <Text>{t('visit.ownWindowText', { partner: isolated(nameOf(visit.partner)) })}</Text>
        <Button type="submit" fullWidth size="md">
          {t('visit.ownWindow')}
        </Button>
      </Stack>
    </form>
  )
}
