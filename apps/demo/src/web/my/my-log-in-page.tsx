import { Alert, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { Mark } from '../shell/icons.tsx'

/** Leads to the electronic ID; `isSetUp`: whether the service has one. */
export function MyLogInPage({ isSetUp }: { readonly isSetUp: boolean }) {
  return (
    <main className="log-in-page">
      <Stack w="100%" maw={440} gap="lg">
        <Stack align="center" gap={6}>
          <Mark size={46} />
          <Title order={1}>My workouts</Title>
          <Text c="#4b5b5a" ta="center">
            The exercises that your clinic has given you
          </Text>
        </Stack>
        <Paper className="card" p="xl">
          {isSetUp ? (
            <Stack>
              <Text>
                Log in with your electronic ID. Your workouts are found by your national identity number,
                which is not shown to anybody.
              </Text>
              <Button component="a" href="/my/log-in" size="lg" fullWidth data-testid="my-log-in">
                Log in with e-ID
              </Button>
            </Stack>
          ) : (
            <Alert color="gray" title="There is no log-in here yet" data-testid="my-not-set-up" c="#1d2b2a">
              This service has not been connected to an electronic ID. Ask your clinic for your workouts.
            </Alert>
          )}
        </Paper>
      </Stack>
    </main>
  )
}
