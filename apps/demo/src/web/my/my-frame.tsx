import { Alert, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Mark, SignOutIcon } from '../shell/icons.tsx'
import { myQueryClient, signOutOfMy } from './my-queries.ts'

/** What {@link MyFrame} shows. */
export interface MyFrameProps {
  /** Who is logged in; may be empty. */
  readonly name: string
  readonly children: ReactNode
}

/** The frame of every page: who is logged in, and the way out. */
export function MyFrame({ name, children }: MyFrameProps) {
  const leave = useMutation({
    mutationFn: signOutOfMy,
    onSuccess(endSessionUrl) {
      myQueryClient.clear()
      // The page leaves the history: "back" from the log-out finds no workouts.
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
          leftSection={<SignOutIcon />}
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
