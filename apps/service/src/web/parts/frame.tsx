import { Mark } from '@service-link/ui/plain'
import { Component, type ReactNode } from 'react'
import { isInFrame } from '../api/request.ts'
import { errorText, t } from '../texts/texts.ts'

// The pages before a session use plain elements, because the component library is larger than the log-in page.

interface LogInFrameProps {
  readonly title: string
  readonly subtitle?: string
  readonly testId?: string
  readonly children: ReactNode
}

/** The page before a session: the mark, a title, and what to do. */
export function LogInFrame({ title, subtitle, testId, children }: LogInFrameProps) {
  return (
    <main className="log-in-page" data-testid={testId}>
      <div className="stack log-in-column">
        <header className="log-in-head">
          <Mark size={46} />
          <h1 tabIndex={-1} ref={takeFocus}>
            {title}
          </h1>
          {subtitle && <p>{subtitle}</p>}
        </header>
        {children}
      </div>
    </main>
  )
}

/** Gives an element the focus as soon as it is drawn. A frame must not take it from the page around it. */
export function takeFocus(element: HTMLElement | null): void {
  if (!isInFrame) element?.focus({ preventScroll: true })
}

interface NoteProps {
  readonly tone?: 'info' | 'warning' | 'danger'
  readonly title: string
  readonly testId?: string | undefined
  readonly children?: ReactNode
}

/** A box with a message. Screen readers read a danger at once. */
export function Note({ tone = 'info', title, testId, children }: NoteProps) {
  return (
    <div
      className="note"
      data-tone={tone}
      id={testId}
      data-testid={testId}
      role={tone === 'danger' ? 'alert' : undefined}
    >
      <b>{title}</b>
      <div>{children}</div>
    </div>
  )
}

/** A failure beside what failed. Screen readers read it at once. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  )
}

interface NoSessionProps {
  readonly error?: Error | null
  readonly onRetry?: () => unknown
}

/** The page while nobody knows who is signed in: loading, as index.html shows it, or without the service. */
export function NoSession({ error, onRetry }: NoSessionProps) {
  return (
    <main className="boot" aria-busy={!error} aria-label={error ? undefined : t('app.loading')}>
      {error ? (
        <Note tone="danger" title={t('app.unreachable')}>
          {errorText(error)}
          <button type="button" className="button" onClick={() => void onRetry?.()}>
            {t('app.tryAgain')}
          </button>
        </Note>
      ) : (
        <Mark size={46} />
      )}
    </main>
  )
}

/** Shows a message instead of an empty page if a part of the app cannot be loaded or drawn. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error ? <NoSession error={error} onRetry={() => location.reload()} /> : this.props.children
  }
}
