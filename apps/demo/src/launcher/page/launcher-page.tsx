import './launcher.css'
import { Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import { isRefusalCode } from '@service-link/jwt-payload'
import { Card, Copy, CopyAs, drawPage, Problem } from '@service-link/ui'
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useEffect, useState } from 'react'
import { ask } from '../ask.ts'
import { type Launch, type LauncherFacts, launchSchema, startLaunch } from '../launch.ts'
import { PartnerBar } from '../partner-bar.tsx'
import { presets } from '../presets.ts'
import { isForm, type Stranger, strangerOf } from '../request.ts'
import { AnswerCard } from './answer-card.tsx'
import { ClaimsCard } from './claims-card.tsx'
import { copiesOf } from './copies.ts'
import { randomSecret, type TypedKeys } from './keys.ts'
import { LaunchBar } from './launch-bar.tsx'
import { signLaunch } from './launch-state.ts'
import { fragmentOf, launchOfFragment } from './link.ts'
import { RegisterCard } from './register-card.tsx'
import { SendQuestion } from './send-question.tsx'
import { SigningCard } from './signing-card.tsx'
import { sentenceOf, t } from './texts.ts'
import { TokenView } from './token-view.tsx'
import { outcomeOfCall, outcomeOfPost, useSending, type Way } from './use-sending.ts'
import { VerdictCard } from './verdict-card.tsx'

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, gcTime: 0, structuralSharing: false } },
})

function LauncherPage({ facts }: { readonly facts: LauncherFacts }) {
  const [link, setLink] = useState(() => launchOfFragment(location.hash, facts))
  const form = useForm<Launch>({
    initialValues: link.launch,
    // Another address has answered nothing yet.
    onValuesChange: (values, before) => {
      if (values.address !== before.address) sending.clear()
    },
  })
  const [typed, setTyped] = useState<TypedKeys>(() => ({ pasted: '', secret: randomSecret() }))
  const launch = form.values
  const path = `${location.pathname}${fragmentOf(launch, facts)}`
  useEffect(() => history.replaceState(null, '', path), [path])
  useWindowEvent('hashchange', () => {
    const linked = launchOfFragment(location.hash, facts)
    setLink(linked)
    form.setValues(linked.launch)
    sending.clear()
  })

  const signing = useQuery({
    queryKey: ['signed launch', launch, typed],
    queryFn: () => signLaunch(launch, typed, facts),
    placeholderData: keepPreviousData,
  })
  const signed = signing.data
  const checks = (!signing.isError && signed?.checks) || []
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  const expected = failed
    ? { isGood: false, text: failed.code ?? failed.check }
    : checks.length > 0
      ? { isGood: true, text: t('bar.pass') }
      : { isGood: undefined, text: t('bar.noToken') }

  const { called, postedAnswer, frame, ...sending } = useSending(typed, facts)
  const lastCall = called.at(-1)
  const problem = sending.error ? sentenceOf(sending.error) : undefined
  const answered = problem
    ? { isGood: false, text: problem }
    : postedAnswer
      ? outcomeOfPost(postedAnswer)
      : lastCall
        ? outcomeOfCall(lastCall)
        : { isGood: undefined, text: t('bar.notSent') }

  const [question, setQuestion] = useState<{ launch: Launch; way: Way; stranger: Stranger }>()
  /** What the user said yes to. */
  const [agreed, setAgreed] = useState<readonly string[]>([])
  const isAddress = launchSchema.shape.address.safeParse(launch.address).success
  const send = (way: Way) => {
    if (!isAddress) return document.getElementById('address')?.focus()
    const stranger = strangerOf(launch, facts)
    // The question holds the launch: a link may change the form behind it.
    if (!stranger || agreed.includes(JSON.stringify(stranger))) sending.send({ launch, way })
    else setQuestion({ launch, way, stranger })
  }

  const choosePreset = (code: string | null) => {
    const start = { ...startLaunch(facts), address: launch.address }
    const chosen = isRefusalCode(code) ? { ...presets[code].change?.(start), preset: code } : {}
    form.setValues({ ...start, ...chosen })
    setLink({ launch: start, problem: undefined })
    sending.clear()
  }

  return (
    <>
      <PartnerBar title={t('title')} subtitle={t('about')}>
        <Group>
          <Copy label={t('copyLink')} text={location.origin + path} />
          <Anchor href="/" c="inherit" underline="always">
            {t('journal')}
          </Anchor>
        </Group>
      </PartnerBar>
      <LaunchBar
        form={form}
        addressProblem={isAddress ? undefined : t('problems.address')}
        onPreset={choosePreset}
        expected={expected}
        answered={answered}
        way={isForm(launch) ? 'post' : 'call'}
        isBusy={sending.isPending}
        onPost={() => send('tab')}
      />
      <SimpleGrid
        component="main"
        cols={{ base: 1, sm: 2 }}
        maw={1400}
        mx="auto"
        p="md"
        style={{ alignItems: 'start' }}
      >
        <Stack>
          <Problem text={link.problem} />
          {/* The JSON view begins anew with each preset. */}
          <ClaimsCard key={launch.preset} form={form} />
          <SigningCard
            form={form}
            launchKey={signed?.key}
            problem={signing.error && isAddress ? sentenceOf(signing.error) : undefined}
            typed={typed}
            onType={setTyped}
            canRegister={launch.address === facts.address}
          />
        </Stack>
        <Stack>
          <AnswerCard
            called={called}
            posted={postedAnswer}
            frame={frame}
            ways={isForm(launch) ? ['call', 'frame'] : ['call']}
            isBusy={sending.isPending}
            problem={problem}
            onSend={send}
          />
          <VerdictCard checks={checks} limit={signed?.limit} />
          {signed && <TokenView signed={signed} />}
          {signed && (
            <Card title={t('code.title')} fold="copy-as">
              <CopyAs copies={copiesOf({ launch, ...signed })} />
            </Card>
          )}
          {!signing.isPending && <RegisterCard />}
        </Stack>
      </SimpleGrid>
      {question && (
        <SendQuestion
          stranger={question.stranger}
          onCancel={() => setQuestion(undefined)}
          onSend={() => {
            setAgreed([...agreed, JSON.stringify(question.stranger)])
            setQuestion(undefined)
            sending.send(question)
          }}
        />
      )}
    </>
  )
}

const facts = await parseResponse(ask.launcher.facts.$get())
drawPage(
  <QueryClientProvider client={queryClient}>
    <LauncherPage facts={facts} />
  </QueryClientProvider>,
)
