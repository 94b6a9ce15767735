import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { Mark } from '../parts/icons.tsx'
import { PartnerMark } from './partner-mark.tsx'
import { nameOf, type PendingVisit, type TabVisit } from './visit.ts'

interface FramedLogInProps {
  /** The visit that waits for a log-in, or waited in vain. */
  readonly tabVisit: TabVisit
  /** The visit signed somebody in, and the browser did not keep it. */
  readonly isSessionLost: boolean
}

/**
 * In a frame nobody is asked for a password: its page's address cannot be seen. A visit that waits goes to a window of its own,
 * in the body of a form, so that its handle is in no address.
 */
export function FramedLogIn({ tabVisit, isSessionLost }: FramedLogInProps) {
  return (
    <main className="log-in-page">
      <Stack w="100%" maw={440} gap="md">
        <Stack align="center" gap={6}>
          <Mark size={46} />
          <Title order={1}>Service</Title>
        </Stack>
        <Paper className="card" p="xl">
          {tabVisit.kind === 'waiting' ? (
            <OwnWindow visit={tabVisit.visit} />
          ) : (
            <OpenAgain reason={isSessionLost ? 'session-lost' : tabVisit.kind} />
          )}
        </Paper>
      </Stack>
    </main>
  )
}

function OwnWindow({ visit }: { readonly visit: PendingVisit }) {
  return (
    <form method="post" action="/partner/log-in" target="_blank" data-testid="framed-log-in" rel="noopener">
      <input type="hidden" name="visit" value={JSON.stringify(visit)} />
      <Stack>
        <PartnerMark partner={visit.partner} size={22} />
        <Text>
          This is your first visit from {nameOf(visit.partner)}. Log in once, in a window where you can see
          the address of the page. Then open the person in {nameOf(visit.partner)} again.
        </Text>
        <Button type="submit" fullWidth size="md">
          Log in in a window of its own
        </Button>
      </Stack>
    </form>
  )
}

const openAgainTexts = {
  'session-lost':
    'The browser did not keep the session of this frame. Allow cookies here, or have the person opened in a tab.',
  none: 'Nobody is signed in here. Open the person again in your application.',
  left: 'This visit has waited too long for a log-in. Open the person again in your application.',
}

function OpenAgain({ reason }: { readonly reason: keyof typeof openAgainTexts }) {
  return <Text data-testid="framed-signed-out">{openAgainTexts[reason]}</Text>
}
