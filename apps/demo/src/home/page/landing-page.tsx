import {
  Alert,
  Anchor,
  Button,
  Card,
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
import { drawPage, Problem } from '@service-link/ui'
import { keyedFetch, openKeyed } from '@service-link/ui/page-key'
import { Mark } from '@service-link/ui/plain'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { submitProblem } from '../../journal/submit-problem.ts'
import type { DemoFacts, DemoState, StepState } from '../demo-state.ts'
import { pollingClient } from '../polling-client.ts'
import { Picture } from './picture.tsx'
import { t, textOf } from './texts.ts'
import { TravelledView } from './travelled.tsx'

function LandingPage() {
  const {
    data: shown,
    dataUpdatedAt,
    errorUpdatedAt,
  } = useQuery({
    queryKey: ['state'],
    queryFn: async (): Promise<DemoState> => (await send('/api/state', 'GET')).json(),
  })
  const isRunning = dataUpdatedAt >= errorUpdatedAt
  return (
    <main className="landing">
      <header className="landing-head">
        <div>
          <Mark size={52} />
          <h1>{t('title')}</h1>
          <p>{t('about')}</p>
        </div>
        {shown ? <Picture {...shown} /> : <div className="landing-picture" />}
      </header>
      {!isRunning && (
        <Alert color="orange" title={t('ended')} mb="lg" role="alert">
          {t('endedText')}
        </Alert>
      )}
      {shown ? <Parts {...shown} /> : isRunning && <Loader aria-label={t('loading')} />}
    </main>
  )
}

function Parts({ facts, link, wrapper, my }: DemoState) {
  const { patient } = facts
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap="xl">
      <Stack component="ol" className="plain-list" flex={1} miw={0}>
        <Step
          number={1}
          name="link"
          state={link}
          action={
            <ActionButton
              label={t('link.action', { patient })}
              isDone={link.tone === 'done'}
              onPress={() =>
                submitPayload(facts.payloadUrl, fetchPayload(), { waitingText: t('link.opening') })
              }
              explain={submitProblem}
            />
          }
        >
          {t('link.text')}
        </Step>
        <Step
          number={2}
          name="wrapper"
          state={wrapper}
          action={
            <ActionButton
              label={t(wrapper.does === 'start' ? 'wrapper.start' : 'wrapper.action')}
              isDone={wrapper.tone === 'done'}
              isDisabled={wrapper.does === 'nothing'}
              onPress={() => send('/api/wrapper')}
            />
          }
        >
          {t('wrapper.text')}
        </Step>
        <Step
          number={3}
          name="my"
          state={my}
          action={
            <Button
              component="a"
              href={facts.my}
              target="_blank"
              variant={my.tone === 'done' ? 'default' : 'filled'}
              rightSection={<ExternalLinkIcon aria-hidden />}
            >
              {t('my.action')}
            </Button>
          }
        >
          {t('my.text', { patient })}
        </Step>
      </Stack>
      <Aside facts={facts} />
    </Flex>
  )
}

interface StepProps {
  readonly number: number
  readonly name: 'link' | 'wrapper' | 'my'
  readonly state: StepState
  readonly action: ReactNode
  readonly children: ReactNode
}

const toneColors = { ready: 'gray', waits: 'blue', done: 'teal', refused: 'red' } as const

function Step({ number, name, state, action, children }: StepProps) {
  const { tone, says, more, travelled } = state
  const isDone = tone === 'done'
  return (
    <Card component="li" withBorder padding="lg" data-is-done={isDone} data-testid={`step-${name}`}>
      <Group wrap="nowrap" mb="xs">
        <ThemeIcon size={40} radius="xl" variant={isDone ? 'filled' : 'light'} aria-hidden>
          {isDone ? <CheckIcon width={22} height={22} /> : number}
        </ThemeIcon>
        <Title order={2}>{t(`${name}.title`)}</Title>
      </Group>
      <Text mb="md">{children}</Text>
      <div>{action}</div>
      <Alert color={toneColors[tone]} mt="md" role="status">
        {textOf(says)}
        {more && <Text size="sm">{textOf(more)}</Text>}
      </Alert>
      <TravelledView step={name} travelled={travelled} />
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
      <Problem text={problem || undefined} />
    </>
  )
}

function Aside({ facts }: { readonly facts: DemoFacts }) {
  const [problem, setProblem] = useState<string>()
  const { journal, service, my, eId } = facts
  const places = { journal, launcher: `${journal}/launcher`, console: '/console', service, my, eId }
  const isKeyed = (url: string) => url === '/console' || url.startsWith(journal)
  const names = ['journal', 'launcher', 'console', 'service', 'my', 'eId'] as const
  return (
    <Card component="aside" withBorder padding="lg" w={{ md: 340 }} style={{ alignSelf: 'start' }}>
      <Title order={2}>{t('places.title')}</Title>
      <Problem text={problem} />
      <Stack component="ul" className="plain-list" mt="sm" gap="sm">
        {names.map(name => (
          <li key={name}>
            <Anchor
              href={places[name]}
              target="_blank"
              display="inline-block"
              fw={600}
              onClick={async event => {
                if (!isKeyed(places[name])) return
                event.preventDefault()
                setProblem(await openKeyed(places[name]))
              }}
            >
              {t(`places.${name}`)}
            </Anchor>
            <Text size="sm" c="dimmed">
              {t(`places.${name}About`)}
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

drawPage(
  <QueryClientProvider client={pollingClient}>
    <LandingPage />
  </QueryClientProvider>,
)
