import '../styles.css'
import './my.css'
import { Alert, Button, Paper, Stack, Text } from '@mantine/core'
import { ExitIcon } from '@radix-ui/react-icons'
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Route, Router, Switch } from 'wouter'
import { LogInFrame, Look, Mark, NoSession } from '../parts/look.tsx'
import { startTexts } from '../texts/texts.ts'
import {
  endMySession,
  MyWorkoutDetail,
  MyWorkoutList,
  myQueryClient,
  mySessionQuery,
  signOutOfMy,
} from './my-workouts.tsx'

function MyApp() {
  return (
    <Look>
      <QueryClientProvider client={myQueryClient}>
        <Router base="/my">
          <MyGate />
        </Router>
      </QueryClientProvider>
    </Look>
  )
}

function MyGate() {
  const { data, dataUpdatedAt, error, refetch } = useQuery(mySessionQuery)
  useSessionEnd(data?.consumer ? dataUpdatedAt + data.consumer.endsInMs : undefined)
  if (data === undefined) return <NoSession error={error} onRetry={refetch} />
  if (!data.consumer) return <MyLogInPage isSetUp={data.isSetUp} />
  const { logInId, name } = data.consumer
  return (
    <MyFrame key={logInId} name={name}>
      <Switch>
        <Route path="/">
          <MyWorkoutList logInId={logInId} />
        </Route>
        <Route path="/workouts/:id">
          {({ id }: { readonly id: string }) => <MyWorkoutDetail logInId={logInId} id={idOf(id)} />}
        </Route>
        <Route>
          <h1>There is no such page</h1>
          <Link href="/">Go to my workouts</Link>
        </Route>
      </Switch>
    </MyFrame>
  )
}

/** No workout has the id 0. */
const idOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

interface MyFrameProps {
  /** Name of the consumer; may be empty. */
  readonly name: string
  readonly children: ReactNode
}

function MyFrame({ name, children }: MyFrameProps) {
  const leave = useMutation({
    mutationFn: signOutOfMy,
    onSuccess(endSessionUrl) {
      myQueryClient.clear()
      // Replaces the page in the history, so that "back" after the log-out shows no workouts.
      window.location.replace(endSessionUrl ?? '/my')
    },
  })
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className="my-header">
        <Link href="/" className="my-home">
          <Mark />
          <b>My workouts</b>
        </Link>
        <Text size="sm" truncate className="my-name" data-testid="my-name">
          {name}
        </Text>
        <Button
          variant="default"
          size="sm"
          leftSection={<ExitIcon />}
          style={{ flexShrink: 0 }}
          loading={leave.isPending || leave.isSuccess}
          onClick={() => leave.mutate()}
          data-testid="my-sign-out"
        >
          Log out
        </Button>
      </header>
      <main id="content" className="my-content" tabIndex={-1}>
        {leave.error && (
          <Alert color="red" title="You are still logged in" role="alert" mb="md">
            {leave.error.message}
          </Alert>
        )}
        {children}
      </main>
    </>
  )
}

function MyLogInPage({ isSetUp }: { readonly isSetUp: boolean }) {
  return (
    <LogInFrame title="My workouts" subtitle="The exercises that your clinic has given you" gap="lg">
      <Paper className="card" p="xl">
        {isSetUp ? (
          <Stack>
            <Text>
              Log in with your electronic ID. Your workouts are found by your national identity number, which
              is not shown to anybody.
            </Text>
            <Button component="a" href="/my/log-in" size="lg" fullWidth data-testid="my-log-in">
              Log in with e-ID
            </Button>
          </Stack>
        ) : (
          <Alert color="gray" title="There is no log-in here yet" data-testid="my-not-set-up">
            This service has not been connected to an electronic ID. Ask your clinic for your workouts.
          </Alert>
        )}
      </Paper>
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

await startTexts()

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <MyApp />
  </StrictMode>,
)
