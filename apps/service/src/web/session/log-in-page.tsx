import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { signInHintQuery } from '../api/queries.ts'
import { useHostInfo } from '../bridge/host.ts'
import { isolated } from '../parts/format.ts'
import { LogInFrame, Note } from '../parts/frame.tsx'
import { Notices } from '../parts/notices.tsx'
import { errorText, t } from '../texts/texts.ts'
import { hasDrafts } from './drafts.ts'
import { type Employee, logIn, reasonOfLogIn } from './log-in.ts'
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

const fields = [
  { name: 'email', autoComplete: 'username' },
  { name: 'password', autoComplete: 'current-password' },
] as const

export function LogInPage(props: LogInPageProps) {
  const { tabVisit, present, isSessionLost, onDropVisit, onContinue } = props
  const visit = tabVisit.kind === 'waiting' ? tabVisit.visit : undefined
  const [credentials, setCredentials] = useState({ email: visit?.employee.email ?? '', password: '' })
  const attempt = useMutation({ mutationFn: () => logIn(credentials, visit) })
  const title = `${t('logIn.form')} – ${t('app.name')}`
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <LogInFrame title={t('logIn.title')} subtitle={t('logIn.subtitle')}>
      <Notices />
      {visit && !isSessionLost ? (
        <VisitNote visit={visit} onDrop={onDropVisit} />
      ) : (
        <Reason tabVisit={tabVisit} isSessionLost={isSessionLost} present={present} />
      )}
      <form
        className="card stack log-in-form"
        data-testid="login-form"
        aria-label={t('logIn.form')}
        onSubmit={event => {
          event.preventDefault()
          if (!attempt.isPending) attempt.mutate()
        }}
      >
        {attempt.error && (
          <Note tone="danger" title={t('logIn.failed')} testId="login-error">
            {errorText(attempt.error)}
          </Note>
        )}
        {present && <p className="dimmed">{t('logIn.replaces', { name: present.name })}</p>}
        {present && !visit && (
          <button type="button" className="button quiet-button" onClick={onContinue}>
            {t('logIn.continueAs', { name: present.name })}
          </button>
        )}
        {fields.map(({ name, autoComplete }) => (
          <label key={name} className="field">
            {t(`logIn.${name}`)}
            <input
              name={name}
              type={name}
              autoComplete={autoComplete}
              required
              value={credentials[name]}
              onChange={event => {
                const { value } = event.currentTarget
                setCredentials(former => ({ ...former, [name]: value }))
              }}
            />
          </label>
        ))}
        <button type="submit" className="button" aria-busy={attempt.isPending} data-testid="login-submit">
          {t(visit ? 'logIn.submitVisit' : 'logIn.submit')}
        </button>
      </form>
      <DemoAccounts onChoose={setCredentials} />
    </LogInFrame>
  )
}

type ReasonProps = Pick<LogInPageProps, 'tabVisit' | 'isSessionLost' | 'present'>

/** Says why the page asks for a log-in. */
function Reason({ tabVisit, isSessionLost, present }: ReasonProps) {
  const isHosted = useHostInfo() !== undefined
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
    <Note
      tone={isSessionLost || isExpired ? 'warning' : 'info'}
      title={t(`logIn.${reason}`)}
      testId={`log-in-${reason}`}
    >
      {t(`logIn.${reason}Text`)} {!present && hasDrafts() && t('logIn.draftsKept')}
    </Note>
  )
}

function VisitNote({ visit, onDrop }: { readonly visit: PendingVisit; readonly onDrop: () => void }) {
  const { partner, employee } = visit
  return (
    <section className="card stack log-in-form" data-testid="pending-visit">
      <PartnerMark partner={partner} size={26} />
      <b>{t('logIn.visit', { partner: isolated(nameOf(partner)) })}</b>
      <p>
        {t('logIn.visitText', {
          user: isolated(employeeNameOf(visit) ?? t('visit.userId', { id: employee.id })),
          organization: isolated(
            employee.organizationName ?? t('visit.organizationId', { id: employee.organizationId }),
          ),
        })}
      </p>
      <button type="button" className="link-button" onClick={onDrop}>
        {t('logIn.notMe')}
      </button>
    </section>
  )
}

interface DemoAccountsProps {
  readonly onChoose: (account: { readonly email: string; readonly password: string }) => void
}

/** The demo's accounts; empty outside the demo. */
function DemoAccounts({ onChoose }: DemoAccountsProps) {
  const { data } = useQuery(signInHintQuery)
  if (!data || data.accounts.length === 0) return null
  return (
    <section className="card stack log-in-form" data-testid="demo-accounts">
      <b>{t('logIn.demoAccounts')}</b>
      <ul className="plain-list stack">
        {data.accounts.map(account => (
          <li key={account.email} className="row demo-account">
            <button
              type="button"
              className="link-button"
              onClick={() => onChoose({ email: account.email, password: account.password })}
            >
              {account.name}
            </button>
            <span className="dimmed">
              {t('logIn.demoPassword')} <code>{account.password}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
