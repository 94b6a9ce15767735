import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Employee } from '../api/queries.ts'
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
            May <bdi>{partnerName}</bdi> sign in as you?
          </Title>
        </Stack>
        <Paper className="card" p="xl">
          <Stack>
            <NameWarning visit={visit} accountName={employee.name} />
            <dl className="link-facts">
              <dt>Application</dt>
              <dd>{partnerName}</dd>
              <dt>Organization there</dt>
              <dd>{namedId(visit.employee.organizationName, visit.employee.organizationId)}</dd>
              <dt>User there</dt>
              <dd data-testid="linked-user">{namedId(employeeNameOf(visit), visit.employee.id)}</dd>
              <dt>Your account here</dt>
              <dd>
                {employee.name}, {employee.organizationName}
              </dd>
              <dt>This request came from</dt>
              <dd data-testid="sent-from">{sentFrom ?? 'no page that the browser names'}</dd>
            </dl>
            <div>
              <Text fw={600}>From then on {partnerName} can, for that user and without your password:</Text>
              <List size="sm" mt={4}>
                <List.Item>sign in as this account, in any browser</List.Item>
                <List.Item>see and change everything that you can see and change here</List.Item>
                <List.Item>
                  choose the person in focus, create persons in {employee.organizationName} and fill in what
                  is missing of them
                </List.Item>
              </List>
            </div>
            <Text size="sm">
              Say yes only if you yourself have just opened a person in {partnerName} as that user. You can
              end it at any time under Linked applications.
            </Text>
            <Group justify="flex-end">
              <Button
                variant="default"
                data-testid="link-decline"
                disabled={isBusy}
                onClick={() => keepPendingVisit(undefined)}
              >
                No, do not link
              </Button>
              <Button data-testid="link-confirm" loading={isBusy} onClick={() => confirm.mutate()}>
                Yes, link and continue
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
      title={name === undefined ? 'The application names no user' : 'The names differ'}
    >
      {name === undefined ? (
        <>It sends only the ID {visit.employee.id}. Whoever that is will sign in as you.</>
      ) : (
        <>
          The user there is <b>{name}</b>, you are <b>{accountName}</b>. If you are not {name}, somebody else
          will sign in as you.
        </>
      )}
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
    <LogInFrame title="Service">
      <Paper className="card" p="xl">
        {tabVisit.kind === 'waiting' ? (
          <OwnWindow visit={tabVisit.visit} />
        ) : (
          <Text data-testid="framed-signed-out">
            {openAgainTexts[isSessionLost ? 'session-lost' : tabVisit.kind]}
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
        <Text>
          This is your first visit from {nameOf(visit.partner)}. Log in once, in a window where you can see
          the address of the page. Then open the person in {nameOf(visit.partner)} again.
        </Text>
        <Button type="submit" fullWidth size="md">
          Log in in a window of its own
        </Button>
      </Stack>
    </form>
  )
}

const openAgainTexts = {
  'session-lost':
    'The browser did not keep the session of this frame. Allow cookies here, or have the person opened in a tab.',
  none: 'Nobody is signed in here. Open the person again in your application.',
  left: 'This visit has waited too long for a log-in. Open the person again in your application.',
}
