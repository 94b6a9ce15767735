import { shared } from '@service-link/ui/shared'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { t } from '../texts/texts.ts'
import { heightAs } from './height.ts'

interface Notice {
  /** A later notice of the same subject replaces the former one. */
  readonly subject:
    | 'account'
    | 'back'
    | 'choice'
    | 'edit'
    | 'focus'
    | 'focus-cleared'
    | 'kept'
    | 'service'
    | 'visit'
    | 'workout'
  readonly title: string
  readonly text?: string
  readonly tone: 'info' | 'success' | 'warning'
  /** What a button of the notice does, for example to undo or to try again. */
  readonly action?: { readonly text: string; readonly run: () => void }
}

/** A notice with a number of its own: the same words told again are a new notice, which is read out. */
const notices = shared<readonly (Notice & { readonly id: number })[]>([])

let lastId = 0

export function tell(notice: Notice): void {
  const others = notices.get().filter(({ subject }) => subject !== notice.subject)
  notices.set([...others, { ...notice, id: ++lastId }])
}

export function dismissNotice(...subjects: readonly Notice['subject'][]): void {
  notices.set(notices.get().filter(({ subject }) => !subjects.includes(subject)))
}

export const isTold = (subject: Notice['subject']) => notices.get().some(told => told.subject === subject)

/** Duration of a notice in milliseconds, without and with a button. A warning stays until the user dismisses it. */
const shownMs = [12_000, 30_000] as const

/** What waits for the user comes after what is only said. */
const isAsking = ({ tone, action }: Notice) => tone === 'warning' || action !== undefined

const noticesHeight = heightAs('--notices-height')

/**
 * Shows the last notice in a corner, the newest of those that wait for the user, and the last of the children below it. Screen
 * readers read all of them out, and no other part of the page tells the same.
 */
export function Notices({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="notices" role="status" ref={noticesHeight}>
      <div className="notice-pile">
        {notices
          .use()
          .toSorted((one, other) => Number(isAsking(one)) - Number(isAsking(other)))
          .map(notice => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
      </div>
      <div className="notice-pile">{children}</div>
    </div>
  )
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { subject, title, text, tone, action } = notice
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tone === 'warning') return
    const timer = setInterval(
      () => {
        // Nothing vanishes under the user's hand.
        if (!card.current?.matches(':hover, :focus-within'))
          notices.set(notices.get().filter(other => other !== notice))
      },
      shownMs[action ? 1 : 0],
    )
    return () => clearInterval(timer)
  }, [notice, tone, action])
  // The keyboard goes back to where it was before it came into the notice.
  useLayoutEffect(() => {
    const shown = card.current
    let former: EventTarget | null = null
    shown?.addEventListener('focusin', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && shown.contains(relatedTarget))) former = relatedTarget
    })
    return () => {
      if (!shown?.contains(document.activeElement)) return
      if (former instanceof HTMLElement && former.isConnected) former.focus()
      else document.getElementById('content')?.focus()
    }
  }, [])
  return (
    <div className="notice" data-tone={tone} data-testid="notice" data-subject={subject} ref={card}>
      <div>
        <b>{title}</b>
        {text && <p>{text}</p>}
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
