import '../web/styles.css'
import './my.css'
import { startTexts } from '@service-link/ui/page-language'
import { Mark } from '@service-link/ui/plain'
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { idOf } from '../web/parts/format.ts'
import { ErrorBoundary, LogInFrame, NoSession, Note } from '../web/parts/frame.tsx'
import { moveKeyboard } from '../web/parts/keyboard.ts'
import { Notices } from '../web/parts/notices.tsx'
import { useToday } from '../web/parts/today.ts'
import { watchService } from '../web/session/watch-service.ts'
import { tabKeep } from '../web/state/storage.ts'
import { errorText, t } from '../web/texts/texts.ts'
import { endMySession, type MySession, myQueryClient, mySessionQuery, signOutOfMy } from './my-queries.ts'
import { findMyText, myText } from './my-texts.ts'
import { MyWorkoutDetail, MyWorkoutList } from './my-workouts.tsx'

function MyApp({ problem }: { readonly problem: string | undefined }) {
  useToday()
  return (
    <ErrorBoundary>
      <QueryClientProvider client={myQueryClient}>
        <Router base="/my">{problem === undefined ? <MyGate /> : <FailedLogIn code={problem} />}</Router>
        <Notices />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

/** Set while somebody is logged in; stays when the session ends without a log-out. */
const loggedInKey = 'my-logged-in'

function MyGate() {
  const { data, dataUpdatedAt, error, refetch } = useQuery(mySessionQuery)
  const consumer = data?.consumer
  useSessionEnd(consumer ? dataUpdatedAt + consumer.endsInMs : undefined)
  useEffect(() => {
    if (consumer) tabKeep.write(loggedInKey, '1')
  }, [consumer])
  if (data === undefined) return <NoSession error={error} onRetry={refetch} />
  if (!consumer) return <MyLogInPage {...data} />
  const { logInId, name } = consumer
  return (
    <MyFrame key={logInId} name={name}>
      <Switch>
        <Route path="/">
          <MyWorkoutList logInId={logInId} />
        </Route>
        <Route path="/workouts/:id">
          {({ id }: { readonly id: string }) => (
            <MyWorkoutDetail logInId={logInId} id={idOf(id)} name={name} />
          )}
        </Route>
        <Route>
          <h1>{t('app.noPage')}</h1>
          <Link href="/">{myText('back')}</Link>
        </Route>
      </Switch>
    </MyFrame>
  )
}

interface MyFrameProps {
  /** Name of the consumer; may be empty. */
  readonly name: string
  readonly children: ReactNode
}

function MyFrame({ name, children }: MyFrameProps) {
  const [path] = useLocation()
  const drawn = useRef(path)
  useEffect(() => {
    if (drawn.current !== path) moveKeyboard('#content h1')
    drawn.current = path
  }, [path])
  const leave = useMutation({
    mutationFn: signOutOfMy,
    onSuccess(endSessionUrl) {
      tabKeep.write(loggedInKey, undefined)
      myQueryClient.clear()
      // Replaces the page in the history, so that "back" after the log-out shows no workouts.
      window.location.replace(endSessionUrl ?? '/my')
    },
  })
  return (
    <>
      <a className="skip-link" href="#content">
        {t('app.skip')}
      </a>
      <header className="row my-header">
        <Link href="/" className="row my-home">
          <Mark />
          <b>{myText('title')}</b>
        </Link>
        <span className="my-name" data-testid="my-name">
          {name}
        </span>
        <button
          type="button"
          className="button quiet-button"
          disabled={leave.isPending || leave.isSuccess}
          onClick={() => leave.mutate()}
          data-testid="my-sign-out"
        >
          {myText('logOut')}
        </button>
      </header>
      <main id="content" className="my-content" tabIndex={-1}>
        {leave.error && (
          <Note tone="danger" title={myText('stillLoggedIn')}>
            {errorText(leave.error)}
          </Note>
        )}
        {children}
      </main>
    </>
  )
}

function MyLogInPage({ isSetUp, lastsMinutes }: MySession) {
  return (
    <LogInFrame title={myText('title')} subtitle={myText('subtitle')}>
      {tabKeep.read(loggedInKey) !== undefined && (
        <Note tone="warning" title={myText('ended')} testId="my-ended">
          {myText('endedText', { count: lastsMinutes })}
        </Note>
      )}
      {isSetUp ? (
        <section className="card stack log-in-form">
          <p>{myText('logInText')}</p>
          <a className="button" href="/my/log-in" data-testid="my-log-in">
            {myText('logIn')}
          </a>
        </section>
      ) : (
        <Note title={myText('notSetUp')} testId="my-not-set-up">
          {myText('notSetUpText')}
        </Note>
      )}
    </LogInFrame>
  )
}

/** Tells of a log-in that the service has refused. */
function FailedLogIn({ code }: { readonly code: string }) {
  return (
    <LogInFrame title={myText('notLoggedIn')}>
      <section className="card stack log-in-form">
        <p>{findMyText(`problems.${code}`) ?? t('errors.other')}</p>
        <a className="button" href="/my">
          {t('app.tryAgain')}
        </a>
        <p className="dimmed" data-testid="my-problem">
          {code}
        </p>
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
// Asked while the page is drawn for the first time.
else void myQueryClient.prefetchQuery(mySessionQuery)
startTexts()
watchService(myQueryClient)
document.title = myText('title')
createRoot(root).render(
  <StrictMode>
    <MyApp problem={problem} />
  </StrictMode>,
)
