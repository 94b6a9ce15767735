import {
  Alert,
  Anchor,
  Box,
  Button,
  Card,
  Container,
  Flex,
  Group,
  Loader,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core'
import { CheckIcon, ExternalLinkIcon } from '@radix-ui/react-icons'
import { submitPayload } from '@service-link/jwt-payload/browser'
import { drawPage } from '@service-link/ui'
import { keyedFetch, openKeyed } from '@service-link/ui/page-key'
import { Mark } from '@service-link/ui/plain'
import { type ReactNode, useCallback, useState } from 'react'
import { submitProblem } from '../../journal/submit-problem.ts'
import type { DemoFacts, DemoState, StepState } from '../demo-state.ts'
import { usePolling } from '../use-polling.ts'

function LandingPage() {
  const [shown, setShown] = useState<DemoState>()
  const isRunning = usePolling(
    useCallback(async () => setShown(await (await send('/api/state', 'GET')).json()), []),
  )
  return (
    <Container component="main" size={1120} py="xl">
      <Group component="header" wrap="nowrap" mb="xl">
        <Box flex="none">
          <Mark size={52} />
        </Box>
        <div>
          <Title order={1}>Three steps through the demo</Title>
          <Text c="dimmed">
            A clinic’s journal, an exercise service, a desktop wrapper and an electronic ID run on this
            machine. Everybody in them is invented.
          </Text>
        </div>
      </Group>
      {!isRunning && (
        <Alert color="orange" title="The demo does not answer" mb="lg" role="alert">
          It has ended, or was started anew. Run <code>npm run demo</code> and open the address that it
          prints.
        </Alert>
      )}
      {shown ? <Parts {...shown} /> : isRunning && <Loader aria-label="Loading" />}
    </Container>
  )
}

function Parts({ facts, link, wrapper, my }: DemoState) {
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap="xl" style={{ overflowWrap: 'anywhere' }}>
      <Stack component="ol" className="plain-list" flex={1} miw={0}>
        <Step
          number={1}
          title="Open a patient by link"
          testId="step-link"
          state={link}
          action={
            <ActionButton
              label={`Open ${facts.patient}`}
              isDone={link.tone === 'done'}
              onPress={() =>
                submitPayload(facts.payloadUrl, fetchPayload(), { waitingText: 'Opening Service…' })
              }
              explain={submitProblem}
            />
          }
        >
          The journal signs a JSON Web Token about one patient, and the browser posts it to the service. The
          web app opens in a new tab, with this patient in focus.
        </Step>
        <Step
          number={2}
          title="Drive the wrapper"
          testId="step-wrapper"
          state={wrapper}
          action={
            <ActionButton
              label={wrapper.does === 'start' ? 'Start the wrapper again' : 'Select another person'}
              isDone={wrapper.tone === 'done'}
              isDisabled={wrapper.does === 'nothing'}
              onPress={() => send('/api/wrapper')}
            />
          }
        >
          The wrapper hosts the same web app as a desktop program. This page connects to its named pipe, as a
          partner’s program does, and sends <code>selectperson</code>.
        </Step>
        <Step
          number={3}
          title="Log in as the patient"
          testId="step-my"
          state={my}
          action={
            <Button
              component="a"
              href={facts.my}
              target="_blank"
              variant={my.tone === 'done' ? 'default' : 'filled'}
              rightSection={<ExternalLinkIcon aria-hidden />}
            >
              Open “My workouts”
            </Button>
          }
        >
          {facts.patient} has a workout from the start. Log in as this patient: the national e-ID proves the
          identity number, and the workout is there. So is each one that you give in the tab of step 1.
        </Step>
      </Stack>
      <Aside facts={facts} />
    </Flex>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly testId: string
  readonly state: StepState
  readonly action: ReactNode
  readonly children: ReactNode
}

const toneColors = { ready: 'gray', waits: 'blue', done: 'teal', refused: 'red' } as const

function Step({ number, title, testId, state, action, children }: StepProps) {
  const { tone, text, more } = state
  const isDone = tone === 'done'
  return (
    <Card component="li" withBorder padding="lg" data-is-done={isDone} data-testid={testId}>
      <Group wrap="nowrap" mb="xs">
        <ThemeIcon size={40} radius="xl" variant={isDone ? 'filled' : 'light'} aria-hidden>
          {isDone ? <CheckIcon width={22} height={22} /> : number}
        </ThemeIcon>
        <Title order={2}>{title}</Title>
      </Group>
      <Text mb="md">{children}</Text>
      <div>{action}</div>
      <Alert color={toneColors[tone]} mt="md" role="status">
        {text}
        {more && <Text size="sm">{more}</Text>}
      </Alert>
    </Card>
  )
}

interface ActionButtonProps {
  readonly label: string
  readonly isDone: boolean
  readonly isDisabled?: boolean
  readonly onPress: () => Promise<unknown>
  /** Says why it failed. Default: nothing. */
  readonly explain?: (error: unknown) => string
}

function ActionButton({ label, isDone, isDisabled = false, onPress, explain }: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const press = async () => {
    setBusy(true)
    setProblem('')
    // A demo that does not answer is said at the top.
    await onPress().catch(error => setProblem(explain?.(error) ?? ''))
    setBusy(false)
  }
  return (
    <>
      <Button onClick={press} variant={isDone ? 'default' : 'filled'} loading={isBusy} disabled={isDisabled}>
        {label}
      </Button>
      {problem && (
        <Text role="alert" c="var(--text-danger)" mt="xs">
          {problem}
        </Text>
      )}
    </>
  )
}

function Aside({ facts }: { readonly facts: DemoFacts }) {
  const places = [
    ['The clinic’s journal', facts.journal, 'its patients, each with a button that opens the service'],
    [
      'The launcher',
      `${facts.journal}/launcher`,
      'for developers of partners: edit a payload, post it, read why',
    ],
    ['The console', '/console', 'for developers: what passes the wrapper, and a form for each command'],
    ['The service', facts.service, 'the web app of the clinic’s employees'],
    ['My workouts', facts.my, 'the patients’ own app'],
    ['The test e-ID', facts.eId, 'where patients log in; no password is asked for'],
  ] as const
  const isKeyed = (url: string) => url === '/console' || url.startsWith(facts.journal)
  return (
    <Card component="aside" withBorder padding="lg" w={{ md: 340 }} style={{ alignSelf: 'start' }}>
      <Title order={2}>Where everything is</Title>
      <Stack component="ul" className="plain-list" mt="sm" gap="sm">
        {places.map(([name, url, about]) => (
          <li key={url}>
            <Anchor
              href={url}
              target="_blank"
              fw={600}
              onClick={event => {
                if (!isKeyed(url)) return
                event.preventDefault()
                void openKeyed(url)
              }}
            >
              {name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          </li>
        ))}
      </Stack>
    </Card>
  )
}

async function send(path: string, method = 'POST'): Promise<Response> {
  const answer = await keyedFetch(path, { method })
  if (!answer.ok) throw new Error('refused')
  return answer
}

async function fetchPayload(): Promise<string> {
  const { payload } = await (await send('/api/payload')).json()
  return payload
}

drawPage(<LandingPage />)
