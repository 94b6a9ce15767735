import { Alert, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Employee } from '../api/queries.ts'
import { Mark } from '../parts/icons.tsx'
import { confirmLink } from './log-in.ts'
import { PartnerMark } from './partner-mark.tsx'
import { employeeNameOf, keepPendingVisit, nameOf, type PendingVisit } from './visit.ts'

interface ConfirmLinkProps {
  readonly visit: PendingVisit
  /** Who has logged in for the visit. */
  readonly employee: Employee
}

/** Asks who has logged in for a first visit whether its employee may sign in as them from then on. Nothing is linked before. */
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

/** Warns if the employee has another name than the account: the employee will sign in as this account. */
function NameWarning({ visit, accountName }: { readonly visit: PendingVisit; readonly accountName: string }) {
  const name = employeeNameOf(visit)
  if (name !== undefined && comparable(name) === comparable(accountName)) return null
  return (
    <Alert
      color="orange"
      data-testid="name-warning"
      styles={{ title: { color: '#8a3b00' } }}
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

/** A name is the partner's word, of which two users may have the same; the ID tells them apart. */
function namedId(name: string | undefined, id: string) {
  return (
    <>
      <bdi>{name}</bdi> <span className="link-id">ID {id}</span>
    </>
  )
}

/** Without case and spaces, and in any order: `Solberg Ingrid` is `Ingrid Solberg`. */
function comparable(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
    .join(' ')
}
