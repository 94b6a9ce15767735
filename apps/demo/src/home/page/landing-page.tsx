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
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { hc, parseResponse } from 'hono/client'
import { type ReactNode, useState } from 'react'
import type { HomeApi } from '../../demo/show-demo.ts'
import { submitProblem } from '../../journal/submit-problem.ts'
import type { DemoFacts, DemoState, StepState } from '../demo-state.ts'
import { pollingClient } from '../polling-client.ts'
import { Picture } from './picture.tsx'
import { t, textOf } from './texts.ts'
import { TravelledView } from './travelled.tsx'

const api = hc<HomeApi>('/api', { fetch: keyedFetch })

function LandingPage() {
  const {
    data: shown,
    dataUpdatedAt,
    errorUpdatedAt,
  } = useQuery({
    queryKey: ['state'],
    queryFn: () => parseResponse(api.state.$get()),
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
      {shown ? <Parts {...shown} isRunning={isRunning} /> : isRunning && <Loader aria-label={t('loading')} />}
    </main>
  )
}

function Parts({ facts, link, wrapper, my, isRunning }: DemoState & { readonly isRunning: boolean }) {
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
              onPress={() => submitPayload(facts.payloadUrl, payloadOf(), { waitingText: t('link.opening') })}
              isRunning={isRunning}
              explain={explainSubmit}
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
              isRunning={isRunning}
              onPress={() => parseResponse(api.wrapper.$post())}
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
  readonly isRunning: boolean
  /** Says why it failed, if the demo answers. Default: nothing. */
  readonly explain?: (error: unknown) => string | undefined
}

function ActionButton({ label, isDone, isDisabled = false, isRunning, onPress, explain }: ActionButtonProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onPress })
  return (
    <>
      <Button
        onClick={() => mutate()}
        variant={isDone ? 'default' : 'filled'}
        loading={isPending}
        disabled={isDisabled}
      >
        {label}
      </Button>
      {/* The top of the page says it too, and is out of view. */}
      <Problem text={error ? (isRunning ? explain?.(error) : t('ended')) : undefined} />
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

/** Without a payload the demo itself did not answer. */
const explainSubmit = (error: unknown) =>
  Object(error).code === 'ERR_SUBMIT_TOKEN' ? undefined : submitProblem(error)

async function payloadOf(): Promise<string> {
  return (await parseResponse(api.payload.$post())).payload
}

drawPage(
  <QueryClientProvider client={pollingClient}>
    <LandingPage />
  </QueryClientProvider>,
)
