import { ActionIcon, Button, Group, Notification, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link2Icon } from '@radix-ui/react-icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { partnerLinksQuery, queryClient } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { formatDay } from '../parts/format.ts'
import { Dialog } from '../parts/look.tsx'

/** A button with the applications that sign in to this account without a log-in. Each can be unlinked. */
export function LinkedApplications() {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Tooltip label="Linked applications">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Linked applications"
          data-testid="linked-applications"
          onClick={open}
        >
          <Link2Icon />
        </ActionIcon>
      </Tooltip>
      <Dialog isOpen={isOpen} title="Linked applications" testId="linked-applications-list" onClose={close}>
        <LinkList />
      </Dialog>
    </>
  )
}

function LinkList() {
  const { data, error } = useQuery(partnerLinksQuery)
  if (error) return <Text role="alert">{error.message}</Text>
  if (!data) return <Text>Loading…</Text>
  if (data.length === 0)
    return (
      <Text data-testid="no-links">
        No application is linked to your account. One is linked when you confirm its first visit.
      </Text>
    )
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {data.map(link => (
        <LinkRow key={link.id} link={link} />
      ))}
    </Stack>
  )
}

/** Shows new links until the account's owner dismisses or unlinks them. */
export function NewLinks() {
  const { data = [] } = useQuery(partnerLinksQuery)
  return data.filter(({ isNew }) => isNew).map(link => <NewLink key={link.id} link={link} />)
}

function NewLink({ link }: { readonly link: PartnerLinkEntry }) {
  const { partnerName, organizationId, linkedAt } = link
  const unlink = useLinkChange(() => linkRoutes.$delete(named(link)))
  const dismiss = useLinkChange(() => linkRoutes.seen.$post(named(link)))
  const error = unlink.error ?? dismiss.error
  return (
    <Notification
      data-testid="new-link"
      color="orange"
      title={`${partnerName} can sign in as you now`}
      withBorder
      withCloseButton={false}
    >
      A user of it, of organization {organizationId}, was linked to your account on {formatDay(linkedAt)}. If
      that was not you, unlink it.
      {error && (
        <Text size="sm" c="red.9" role="alert">
          {error.message}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Unlink ${partnerName}`}
          loading={unlink.isPending}
          onClick={() => unlink.mutate()}
        >
          Unlink
        </Button>
        <Button size="compact-sm" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          That was me
        </Button>
      </Group>
    </Notification>
  )
}

const linkRoutes = api['partner-links'][':id']

type PartnerLinkEntry = InferResponseType<(typeof api)['partner-links']['$get']>['links'][number]

const named = ({ id }: PartnerLinkEntry) => ({ param: { id } })

function useLinkChange(change: () => Parameters<typeof answerOf>[0]) {
  return useMutation({
    mutationFn: () => answerOf(change()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['partner-links'] }),
  })
}

function LinkRow({ link }: { readonly link: PartnerLinkEntry }) {
  const { partnerName, organizationId, linkedAt } = link
  const unlink = useLinkChange(() => linkRoutes.$delete(named(link)))
  return (
    <Group component="li" justify="space-between" wrap="nowrap" data-testid="partner-link">
      <div style={{ minWidth: 0 }}>
        <Text fw={600}>{partnerName}</Text>
        <Text size="sm" c="dimmed" truncate="end">
          Organization {organizationId}, since {formatDay(linkedAt)}
        </Text>
        {unlink.error && (
          <Text size="sm" c="red.9" role="alert">
            {unlink.error.message}
          </Text>
        )}
      </div>
      <Button
        variant="default"
        size="sm"
        style={{ flexShrink: 0 }}
        aria-label={`Unlink ${partnerName}`}
        loading={unlink.isPending}
        onClick={() => unlink.mutate()}
      >
        Unlink
      </Button>
    </Group>
  )
}
