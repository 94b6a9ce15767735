import { Anchor, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import { isRefusalCode } from '@service-link/jwt-payload'
import { Card, Copy, CopyAs, drawPage, Problem } from '@service-link/ui'
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useEffect, useState } from 'react'
import { ask, sentenceOf } from '../ask.ts'
import { type Launch, type LauncherFacts, startLaunch } from '../launch.ts'
import { PartnerBar } from '../partner-bar.tsx'
import { presets } from '../presets.ts'
import { fieldsOf, requestOf, type Stranger, sendOf, strangerOf, targetOf } from '../request.ts'
import { ClaimsCard } from './claims-card.tsx'
import { copiesOf } from './copies.ts'
import { randomSecret, type TypedKeys } from './keys.ts'
import { signLaunch } from './launch-state.ts'
import { fragmentOf, launchOfFragment } from './link.ts'
import { RegisterCard } from './register-card.tsx'
import { SendQuestion } from './send-question.tsx'
import { SigningCard } from './signing-card.tsx'
import { TokenView } from './token-view.tsx'
import { type Sent, VerdictCard } from './verdict-card.tsx'

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, gcTime: 0, structuralSharing: false } },
})

/** One press of a button. Without a target the journal's server calls the service. */
interface Sending {
  readonly launch: Launch
  /** Name of a window. */
  readonly target: string | undefined
}

function LauncherPage({ facts }: { readonly facts: LauncherFacts }) {
  const [link, setLink] = useState(() => launchOfFragment(location.hash, facts))
  const form = useForm<Launch>({ initialValues: link.launch })
  const [typed, setTyped] = useState<TypedKeys>(() => ({ pasted: '', secret: randomSecret() }))
  const [sent, setSent] = useState<readonly Sent[]>([])
  const launch = form.values
  const path = `${location.pathname}${fragmentOf(launch, facts)}`
  useEffect(() => history.replaceState(null, '', path), [path])
  useWindowEvent('hashchange', () => {
    const linked = launchOfFragment(location.hash, facts)
    setLink(linked)
    form.setValues(linked.launch)
  })

  const queryKey = ['signed launch', launch, typed]
  const signing = useQuery({
    queryKey,
    queryFn: () => signLaunch(launch, typed, facts),
    placeholderData: keepPreviousData,
  })
  const signed = signing.data

  /** Signs anew, so that a token never waits, and sends it: into a window, or by a direct call. */
  const sending = useMutation({
    async mutationFn({ launch, target }: Sending) {
      setSent([])
      const fresh = await signLaunch(launch, typed, facts, true)
      queryClient.setQueryData(['signed launch', launch, typed], fresh)
      // Of several posts of one token the form makes the last.
      const request = requestOf(launch, fresh.token)
      for (let count = target === undefined ? 0 : 1; count < sendOf(launch).times; count++) {
        const exchange = await parseResponse(ask.launcher.call.$post({ json: request }))
        setSent(before => [...before, { id: crypto.randomUUID(), request, exchange }])
      }
      if (target !== undefined) submitForm(launch, fresh.token, target)
    },
  })

  const [question, setQuestion] = useState<{ sending: Sending; stranger: Stranger }>()
  /** What the user said yes to. */
  const [agreed, setAgreed] = useState<readonly string[]>([])
  const send = (target?: string) => {
    const stranger = strangerOf(launch, facts)
    // The question holds the launch: a link may change the form behind it.
    if (!stranger || agreed.includes(JSON.stringify(stranger))) sending.mutate({ launch, target })
    else setQuestion({ sending: { launch, target }, stranger })
  }

  const choosePreset = (code: string | null) => {
    const start = { ...startLaunch(facts), address: launch.address }
    const chosen = isRefusalCode(code) ? { ...presets[code].change?.(start), preset: code } : {}
    form.setValues({ ...start, ...chosen })
    setLink({ launch: start, problem: undefined })
    setSent([])
  }

  return (
    <>
      <PartnerBar title="Nordlys Launcher" subtitle="Try the partner link: edit, sign, post, and read why.">
        <Anchor href="/" c="inherit" underline="always">
          Journal
        </Anchor>
      </PartnerBar>
      <Stack component="main" maw={1400} mx="auto" p="md">
        <Card title="Launch" side={<Copy label="Copy link to this" text={location.origin + path} />}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Address of the post"
              description="Of any service: {sso_url}/partner/payload"
              {...form.getInputProps('address')}
            />
            <Select
              label="Preset"
              description="A launch for each refusal"
              placeholder="A right launch"
              clearable
              searchable
              data={presetChoices}
              value={launch.preset || null}
              onChange={choosePreset}
              data-testid="preset"
            />
          </SimpleGrid>
          <Problem text={link.problem} />
        </Card>
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'start' }}>
          <Stack>
            {/* The JSON view begins anew with each preset. */}
            <ClaimsCard key={launch.preset} form={form} />
            <SigningCard
              form={form}
              launchKey={signed?.key}
              problem={signing.error ? sentenceOf(signing.error) : undefined}
              typed={typed}
              onType={setTyped}
              canRegister={launch.address === facts.address}
            />
          </Stack>
          {signed && <TokenView signed={signed} />}
        </SimpleGrid>
        <VerdictCard
          checks={(!signing.isError && signed?.checks) || []}
          limit={signed?.limit}
          sent={sent}
          isBusy={sending.isPending}
          problem={sending.error ? sentenceOf(sending.error) : undefined}
          onSend={send}
        />
        {question && (
          <SendQuestion
            stranger={question.stranger}
            onCancel={() => setQuestion(undefined)}
            onSend={() => {
              setAgreed([...agreed, JSON.stringify(question.stranger)])
              setQuestion(undefined)
              sending.mutate(question.sending)
            }}
          />
        )}
        {signed && (
          <Card title="Copy as code" fold="copy-as">
            <CopyAs copies={copiesOf({ launch, ...signed })} />
          </Card>
        )}
        <RegisterCard />
      </Stack>
    </>
  )
}

const presetChoices = Object.entries(presets).map(([value, { name }]) => ({
  value,
  label: `${name} · ${value}`,
}))

/** Posts as a browser does. A form has no headers and no JSON. */
function submitForm(launch: Launch, token: string, target: string): void {
  const { method, mediaType } = sendOf(launch)
  const form = document.createElement('form')
  const enctype = mediaType === 'application/json' ? 'text/plain' : mediaType
  Object.assign(form, { action: targetOf(launch), method, enctype, target })
  for (const [name, value] of Object.entries(fieldsOf(launch, token))) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

const facts = await parseResponse(ask.launcher.facts.$get())
drawPage(
  <QueryClientProvider client={queryClient}>
    <LauncherPage facts={facts} />
  </QueryClientProvider>,
)
