import { ActionIcon, Button, Group, Notification, Stack, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link2Icon } from '@radix-ui/react-icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { partnerLinksQuery, queryClient } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { Dialog } from '../parts/dialog.tsx'
import { formatDay } from '../parts/format.ts'
import { errorText } from '../texts/texts.ts'

/** A button with the applications that sign in to this account without a log-in. Each can be unlinked. */
export function LinkedApplications() {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Tooltip label={t('links.title')}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('links.title')}
          data-testid="linked-applications"
          onClick={open}
        >
          <Link2Icon />
        </ActionIcon>
      </Tooltip>
      <Dialog isOpen={isOpen} title={t('links.title')} testId="linked-applications-list" onClose={close}>
        <LinkList />
      </Dialog>
    </>
  )
}

function LinkList() {
  const { data, error } = useQuery(partnerLinksQuery)
  if (error) return <Text role="alert">{errorText(error)}</Text>
  if (!data) return <Text>{t('app.loading')}</Text>
  if (data.length === 0) return <Text data-testid="no-links">{t('links.none')}</Text>
  return (
    <Stack component="ul" gap="lg" className="plain-list">
      {data.map(link => (
        <li key={link.id} data-testid="partner-link">
          <b>{link.partnerName}</b>
          <Text size="sm" c="dimmed">
            {t('links.row', { organization: link.organizationId, date: formatDay(link.linkedAt) })}
          </Text>
          <Unlink link={link} />
        </li>
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
  const dismiss = useLinkChange(() => linkRoutes.seen.$post(named(link)))
  return (
    <Notification
      data-testid="new-link"
      color="orange"
      title={t('links.new', { partner: link.partnerName })}
      withBorder
      withCloseButton={false}
    >
      {t('links.newText', { organization: link.organizationId, date: formatDay(link.linkedAt) })}
      <Failure error={dismiss.error} />
      <Unlink link={link}>
        <Button size="compact-sm" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {t('links.wasMe')}
        </Button>
      </Unlink>
    </Notification>
  )
}

interface UnlinkProps {
  readonly link: PartnerLinkEntry
  /** Another choice beside unlinking. */
  readonly children?: ReactNode
}

/** A button that ends a link, after a question: the employee's next visit needs the password. */
function Unlink({ link, children }: UnlinkProps) {
  const partner = link.partnerName
  const [isAsking, { open, close }] = useDisclosure()
  const unlink = useLinkChange(() => linkRoutes.$delete(named(link)))
  return (
    <>
      <Failure error={unlink.error} />
      {isAsking && (
        <Text size="sm" mt="xs" role="alert">
          {t('links.unlinkAsk', { partner })}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {isAsking ? (
          <>
            <Button
              size="compact-sm"
              color="red.9"
              data-testid="unlink-confirm"
              loading={unlink.isPending}
              onClick={() => unlink.mutate()}
            >
              {t('links.unlinkYes')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={close}>
              {t('app.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('links.unlinkOne', { partner })}
              onClick={open}
            >
              {t('links.unlink')}
            </Button>
            {children}
          </>
        )}
      </Group>
    </>
  )
}

function Failure({ error }: { readonly error: Error | null }) {
  if (!error) return null
  return (
    <Text size="sm" c="var(--text-danger)" role="alert">
      {errorText(error, 'link')}
    </Text>
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
