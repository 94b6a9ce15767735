import { useMutation } from '@tanstack/react-query'
import { isolated } from '../parts/format.ts'
import { LogInFrame, Note, takeFocus } from '../parts/frame.tsx'
import { tell } from '../parts/notices.tsx'
import { t } from '../texts/texts.ts'
import { confirmLink, type Employee } from './log-in.ts'
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
  const name = employeeNameOf(visit)
  const isSameName = name !== undefined && comparable(name) === comparable(employee.name)
  const { organizationName, organizationId, id } = visit.employee
  return (
    <LogInFrame title={t('visit.ask', { partner: isolated(partnerName) })} testId="confirm-link">
      <section className="card stack log-in-form">
        <PartnerMark partner={partner} size={26} />
        {isSameName || (
          <Note
            tone="warning"
            testId="name-warning"
            title={t(name === undefined ? 'visit.noName' : 'visit.namesDiffer')}
          >
            {name === undefined
              ? t('visit.noNameText', { id })
              : t('visit.namesDifferText', { name: isolated(name), account: isolated(employee.name) })}
          </Note>
        )}
        <dl className="link-facts">
          <dt>{t('visit.application')}</dt>
          <dd>{partnerName}</dd>
          <dt>{t('visit.organizationThere')}</dt>
          <dd>{organizationName ?? `ID ${organizationId}`}</dd>
          <dt>{t('visit.userThere')}</dt>
          <dd data-testid="linked-user">
            <bdi>{name}</bdi> <span className="link-id">ID {id}</span>
          </dd>
          <dt>{t('visit.accountHere')}</dt>
          <dd>
            {employee.name}, {employee.organizationName}
          </dd>
          <dt>{t('visit.cameFrom')}</dt>
          <dd data-testid="sent-from">{sentFrom ?? t('visit.noPage')}</dd>
        </dl>
        <b>{t('visit.thenCan', { partner: isolated(partnerName) })}</b>
        <ul className="powers">
          <li>{t('visit.canSignIn')}</li>
          <li>{t('visit.canSee')}</li>
          <li>{t('visit.canChoose', { organization: employee.organizationName })}</li>
        </ul>
        <p>{t('visit.onlyIf', { partner: isolated(partnerName) })}</p>
        <div className="row log-in-actions">
          <button
            type="button"
            className={isSameName ? 'button quiet-button' : 'button'}
            data-testid="link-decline"
            aria-describedby={isSameName ? undefined : 'name-warning'}
            ref={isSameName ? undefined : takeFocus}
            onClick={() => {
              if (isBusy) return
              keepPendingVisit(undefined)
              tell({ subject: 'visit', tone: 'info', title: t('visit.declined', { partner: partnerName }) })
            }}
          >
            {t('visit.no')}
          </button>
          <button
            type="button"
            className={isSameName ? 'button' : 'button quiet-button'}
            data-testid="link-confirm"
            aria-busy={isBusy}
            onClick={() => isBusy || confirm.mutate()}
          >
            {t('visit.yes')}
          </button>
        </div>
      </section>
    </LogInFrame>
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
      {tabVisit.kind === 'waiting' ? (
        <OwnWindow visit={tabVisit.visit} />
      ) : (
        <p className="card stack log-in-form" data-testid="framed-signed-out">
          {t(
            isSessionLost
              ? 'visit.frameSessionLost'
              : tabVisit.kind === 'none'
                ? 'visit.frameNone'
                : 'visit.frameLeft',
          )}
        </p>
      )}
    </LogInFrame>
  )
}

function OwnWindow({ visit }: { readonly visit: PendingVisit }) {
  return (
    <form
      className="card stack log-in-form"
      method="post"
      action="/partner/log-in"
      target="_blank"
      data-testid="framed-log-in"
      rel="noopener"
    >
      <input type="hidden" name="visit" value={JSON.stringify(visit)} />
      <PartnerMark partner={visit.partner} size={22} />
      <p>{t('visit.ownWindowText', { partner: isolated(nameOf(visit.partner)) })}</p>
      <button type="submit" className="button">
        {t('visit.ownWindow')}
      </button>
    </form>
  )
}
