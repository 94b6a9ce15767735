import { Link2Icon } from '@radix-ui/react-icons'
import { Dialog } from '@service-link/ui/plain'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { type ReactNode, useState } from 'react'
import { partnerLinksQuery, queryClient } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { formatDay, isolated } from '../parts/format.ts'
import { Problem } from '../parts/frame.tsx'
import { useKeyboardAfter } from '../parts/keyboard.ts'
import { sessionQuery } from '../session/log-in.ts'
import { errorText, t } from '../texts/texts.ts'

/** A button with the applications that sign in to this account without a log-in. Each can be unlinked. */
export function LinkedApplications() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button quiet-button bar-control"
        aria-label={t('links.title')}
        data-hint={t('links.title')}
        data-testid="linked-applications"
        onClick={() => setOpen(true)}
      >
        <Link2Icon />
      </button>
      <Dialog
        isOpen={isOpen}
        title={t('links.title')}
        closeLabel={t('app.close')}
        testId="linked-applications-list"
        onClose={() => setOpen(false)}
      >
        <LinkList />
      </Dialog>
    </>
  )
}

function LinkList() {
  const { data, error } = useQuery(partnerLinksQuery)
  if (error) return <Problem>{errorText(error)}</Problem>
  if (!data) return <p>{t('app.loading')}</p>
  if (data.length === 0) return <p data-testid="no-links">{t('links.none')}</p>
  return (
    <ul className="plain-list stack">
      {data.map(link => (
        <li key={link.id} data-testid="partner-link">
          <b>{link.partnerName}</b>
          <p className="dimmed sentence">{t('links.row', factsOf(link, data))}</p>
          <Unlink link={link} />
        </li>
      ))}
    </ul>
  )
}

/** Shows new links until the account's owner dismisses or unlinks them. */
export function NewLinks() {
  const { data = [] } = useQuery(partnerLinksQuery)
  return data
    .filter(({ isNew }) => isNew)
    .map(link => <NewLink key={link.id} link={link} text={t('links.newText', factsOf(link, data))} />)
}

/** Who was connected, and when. The organization has its id where another one of the partner has that name too. */
function factsOf(link: PartnerLinkEntry, links: readonly PartnerLinkEntry[]) {
  const { partnerName, organizationName: name, organizationId: id, employeeName, employeeId } = link
  const isTwin = links.some(
    other =>
      name !== null &&
      other.partnerName === partnerName &&
      other.organizationName === name &&
      other.organizationId !== id,
  )
  return {
    user: isolated(employeeName ?? t('visit.userId', { id: employeeId })),
    organization: isolated(isTwin ? `${name} (ID ${id})` : (name ?? t('visit.organizationId', { id }))),
    date: formatDay(link.linkedAt),
  }
}

interface NewLinkProps {
  readonly link: PartnerLinkEntry
  readonly text: string
}

function NewLink({ link, text }: NewLinkProps) {
  const dismiss = useLinkChange(() => linkRoutes.seen.$post(named(link)))
  return (
    <div className="notice" data-tone="warning" data-testid="new-link">
      <div>
        <b>{t('links.new', { partner: link.partnerName })}</b>
        <p className="sentence">{text}</p>
        {dismiss.error && <Problem>{errorText(dismiss.error, 'link')}</Problem>}
        <Unlink link={link}>
          <button
            type="button"
            className="button small-button"
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate()}
          >
            {t('links.wasMe')}
          </button>
        </Unlink>
      </div>
    </div>
  )
}

interface UnlinkProps {
  readonly link: PartnerLinkEntry
  /** Another choice beside unlinking. */
  readonly children?: ReactNode
}

/**
 * A button that ends a link, after a question: the employee's next visit needs the password. A session that another link made may
 * change nothing.
 */
function Unlink({ link, children }: UnlinkProps) {
  const partner = link.partnerName
  const { data: employee } = useQuery(sessionQuery)
  const [isAsking, setAsking] = useState(false)
  const unlink = useLinkChange(() => linkRoutes.$delete(named(link)))
  useKeyboardAfter()
  if (employee?.linkId !== undefined && employee.linkId !== link.id)
    return <p className="dimmed">{t('errors.ERR_LOG_IN_NEEDED_link')}</p>
  return (
    <>
      {unlink.error && <Problem>{errorText(unlink.error, 'link')}</Problem>}
      {isAsking && <p role="alert">{t('links.unlinkAsk', { partner })}</p>}
      <div className="row link-actions">
        {isAsking ? (
          <>
            {/* First, so that the focus is on it. */}
            <button
              type="button"
              className="button quiet-button small-button"
              onClick={() => setAsking(false)}
            >
              {t('app.cancel')}
            </button>
            <button
              type="button"
              className="button small-button danger-button"
              data-testid="unlink-confirm"
              disabled={unlink.isPending}
              onClick={() => unlink.mutate()}
            >
              {t('links.unlinkYes')}
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              className="button quiet-button small-button"
              aria-label={t('links.unlinkOne', { partner })}
              onClick={() => setAsking(true)}
            >
              {t('links.unlink')}
            </button>
            {children}
          </>
        )}
      </div>
    </>
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
