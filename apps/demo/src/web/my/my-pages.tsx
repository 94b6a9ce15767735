import { Alert, Button, Text, Title } from '@mantine/core'
import { ExitIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { Link, Route, Router, Switch } from 'wouter'
import { Mark } from '../parts/frame.tsx'
import { Look } from '../parts/look.tsx'
import { errorText } from '../texts/texts.ts'
import { forgetLogIn, myQueryClient, signOutOfMy } from './my-session.ts'
import { MyWorkoutDetail, MyWorkoutList } from './my-workouts.tsx'

interface MyPagesProps {
  readonly logInId: string
  /** May be empty. */
  readonly name: string
}

/** The app of a consumer who is logged in. */
export default function MyPages({ logInId, name }: MyPagesProps) {
  return (
    <Look>
      <Router base="/my">
        <MyFrame name={name}>
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
              <Title order={1} mb="xs">
                {t('app.noPage')}
              </Title>
              <Link href="/">{t('my.back')}</Link>
            </Route>
          </Switch>
        </MyFrame>
      </Router>
    </Look>
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
      forgetLogIn()
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
      <header className="my-header">
        <Link href="/" className="my-home">
          <Mark />
          <b>{t('my.title')}</b>
        </Link>
        <Text size="sm" className="my-name" data-testid="my-name">
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
          {t('my.logOut')}
        </Button>
      </header>
      <main id="content" className="my-content" tabIndex={-1}>
        {leave.error && (
          <Alert color="red" title={t('my.stillLoggedIn')} role="alert" mb="md">
            {errorText(leave.error)}
          </Alert>
        )}
        {children}
      </main>
    </>
  )
}
