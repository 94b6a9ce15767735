import { Alert, Button, Center, Loader, MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link, Route, Router, Switch } from 'wouter'
import { theme } from '../theme.ts'
import { MyFrame } from './my-frame.tsx'
import { MyLogInPage } from './my-log-in-page.tsx'
import { myQueryClient, mySessionQuery } from './my-queries.ts'
import { MyWorkoutDetail } from './my-workout-detail.tsx'
import { MyWorkoutList } from './my-workout-list.tsx'
import { useSessionEnd } from './use-session-end.ts'

/** The consumer app: the workouts that a person was given. */
export function MyApp() {
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <QueryClientProvider client={myQueryClient}>
        <Router base="/my">
          <MyGate />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Shows the workouts to who is logged in, the log-in page to everybody else. */
function MyGate() {
  const { data, dataUpdatedAt, error, isPending, refetch } = useQuery(mySessionQuery)
  useSessionEnd(data?.consumer ? dataUpdatedAt + data.consumer.endsInMs : undefined)
  if (isPending)
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  if (data === undefined)
    return (
      <Center component="main" mih="100vh" p="md">
        <Alert color="red" title="The service cannot be reached" maw={420}>
          {error?.message}{' '}
          <Button mt="md" size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </Alert>
      </Center>
    )
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

/** 0 is the id of no workout. */
const idOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)
