import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { PartnerLinkEntry } from '../../service/partner-link/link-routes.ts'
import { partnerLinksQuery } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { request } from '../api/request.ts'
import { Dialog } from '../dialog.tsx'
import { formatDay } from '../person-name.ts'
import { LinkIcon } from './icons.tsx'

/** A button that shows which applications open this account without a log-in, and ends that for each. */
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
          <LinkIcon />
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
        No application is linked to your account. One is linked when you log in for its first visit.
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

function LinkRow({ link }: { readonly link: PartnerLinkEntry }) {
  const { id, partnerName, organizationId, linkedAt } = link
  const unlink = useMutation({
    mutationFn: () => request('DELETE', `/partner-links/${encodeURIComponent(id)}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['partner-links'] }),
  })
  return (
    <Group component="li" justify="space-between" wrap="nowrap" data-testid="partner-link">
      <div style={{ minWidth: 0 }}>
        <Text fw={600}>{partnerName}</Text>
        <Text size="sm" c="#4b5b5a" truncate="end">
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
