import { shared } from '@service-link/ui/shared'
import { type ReactNode, useEffect } from 'react'
import { t } from '../texts/texts.ts'

interface Notice {
  /** A later notice of the same subject replaces the former one. */
  readonly subject: 'account' | 'choice' | 'focus' | 'focus-cleared' | 'service' | 'visit' | 'workout'
  readonly title: string
  readonly text: string
  readonly tone: 'info' | 'success' | 'warning'
  /** What a button of the notice does, for example to undo or to try again. */
  readonly action?: { readonly text: string; readonly run: () => void }
}

const notices = shared<readonly Notice[]>([])

export function tell(notice: Notice): void {
  notices.set([...notices.get().filter(({ subject }) => subject !== notice.subject), notice])
}

export function dismissNotice(subject: Notice['subject']): void {
  notices.set(notices.get().filter(notice => notice.subject !== subject))
}

/** Duration of a notice in milliseconds. A warning stays until the user dismisses it. */
const shownMs = 12_000

/** Shows the notices in a corner. Screen readers read them out. */
export function Notices({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="stack notices" role="status">
      {notices.use().map(notice => (
        <NoticeCard key={notice.subject} notice={notice} />
      ))}
      {children}
    </div>
  )
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { subject, title, text, tone, action } = notice
  useEffect(() => {
    if (tone === 'warning') return
    const timer = setTimeout(() => notices.set(notices.get().filter(other => other !== notice)), shownMs)
    return () => clearTimeout(timer)
  }, [notice, tone])
  return (
    <div className="notice" data-tone={tone} data-testid="notice" data-subject={subject}>
      <div>
        <b>{title}</b>
        <p>{text}</p>
        {action && (
          <button
            type="button"
            className="button quiet-button"
            data-testid="notice-action"
            onClick={() => {
              dismissNotice(subject)
              action.run()
            }}
          >
            {action.text}
          </button>
        )}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('app.dismiss')}
        onClick={() => dismissNotice(subject)}
      >
        ×
      </button>
    </div>
  )
}
