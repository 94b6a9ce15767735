import '../styles.css'
import './my.css'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ParseKeys, t } from 'i18next'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary, LogInFrame, NoSession, Note } from '../parts/frame.tsx'
import { Notices } from '../parts/notices.tsx'
import { watchService } from '../session/watch-service.ts'
import { startTexts } from '../texts/texts.ts'
import { endMySession, myQueryClient, mySessionQuery, rememberLogIn, wasLoggedIn } from './my-session.ts'

// The log-in page is light: what comes after it is loaded later.
const MyPages = lazy(() => import('./my-pages.tsx'))

function MyApp({ problem }: { readonly problem: string | undefined }) {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={myQueryClient}>
        <Suspense fallback={<NoSession />}>
          {problem === undefined ? <MyGate /> : <FailedLogIn code={problem} />}
        </Suspense>
        <Notices />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

function MyGate() {
  const { data, dataUpdatedAt, error, refetch } = useQuery(mySessionQuery)
  const consumer = data?.consumer
  useSessionEnd(consumer ? dataUpdatedAt + consumer.endsInMs : undefined)
  useEffect(() => {
    if (consumer) rememberLogIn()
  }, [consumer])
  if (data === undefined) return <NoSession error={error} onRetry={refetch} />
  if (!consumer) return <MyLogInPage {...data} />
  return <MyPages key={consumer.logInId} {...consumer} />
}

function MyLogInPage({
  isSetUp,
  lastsMinutes,
}: {
  readonly isSetUp: boolean
  readonly lastsMinutes: number
}) {
  return (
    <LogInFrame title={t('my.title')} subtitle={t('my.subtitle')}>
      {wasLoggedIn() && (
        <Note title={t('my.ended')} testId="my-ended">
          {t('my.endedText', { count: lastsMinutes })}
        </Note>
      )}
      {isSetUp ? (
        <section className="card log-in-form">
          <p>{t('my.logInText')}</p>
          <a href="/my/log-in" className="button my-button" data-testid="my-log-in">
            {t('my.logIn')}
          </a>
        </section>
      ) : (
        <Note title={t('my.notSetUp')} testId="my-not-set-up">
          {t('my.notSetUpText')}
        </Note>
      )}
    </LogInFrame>
  )
}

/** Tells of a log-in that the service has refused. */
function FailedLogIn({ code }: { readonly code: string }) {
  return (
    <LogInFrame title={t('my.notLoggedIn')}>
      <section className="card log-in-form">
        <p>{t([`my.problems.${code}`, 'errors.other'] as ParseKeys[])}</p>
        <a href="/my" className="button my-button">
          {t('app.tryAgain')}
        </a>
        <small className="dimmed" data-testid="my-problem">
          {code}
        </small>
      </section>
    </LogInFrame>
  )
}

/**
 * Ends the session on this page in time, even if the service cannot be reached. Workouts must not stay on an
 * unattended screen.
 */
function useSessionEnd(endsAtMs: number | undefined): void {
  useEffect(() => {
    if (endsAtMs === undefined) return
    const endIfOver = () => {
      if (Date.now() >= endsAtMs) endMySession()
    }
    const timer = setTimeout(endMySession, Math.max(0, endsAtMs - Date.now()))
    // Timers stop while a machine sleeps.
    const occasions = ['focus', 'visibilitychange', 'pageshow']
    for (const occasion of occasions) window.addEventListener(occasion, endIfOver, { capture: true })
    return () => {
      clearTimeout(timer)
      for (const occasion of occasions) window.removeEventListener(occasion, endIfOver, { capture: true })
    }
  }, [endsAtMs])
}

// After "back" the browser may show a page from its memory, although somebody else is logged in.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) window.location.reload()
})

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
const { code: problem } = root.dataset
// The address of a failed log-in holds the issuer's answer.
if (problem !== undefined) window.history.replaceState(null, '', '/my')
// Asked while the texts load.
else void myQueryClient.prefetchQuery(mySessionQuery)
await startTexts()
watchService(myQueryClient)
document.title = t('my.title')
createRoot(root).render(
  <StrictMode>
    <MyApp problem={problem} />
  </StrictMode>,
)
