import '../../../web/styles.css'
import '../partner.css'
import { Anchor, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWindowEvent } from '@mantine/hooks'
import { isRefusalCode } from '@service-link/jwt-payload'
import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useEffect, useState } from 'react'
import { Card, Copy, CopyAs } from '../../../web/parts/card.tsx'
import { drawPage } from '../../../web/parts/look.tsx'
import { ask, sentenceOf } from '../ask.ts'
import { fieldsOf, type Launch, type LauncherFacts, requestOf, startLaunch } from '../launch.ts'
import { PartnerBar } from '../partner-bar.tsx'
import { presets } from '../presets.ts'
import { ClaimsCard } from './claims-card.tsx'
import { copiesOf } from './copies.ts'
import { randomSecret, type TypedKeys } from './keys.ts'
import { signLaunch } from './launch-state.ts'
import { fragmentOf, launchOfFragment } from './link.ts'
import { RegisterCard } from './register-card.tsx'
import { SigningCard } from './signing-card.tsx'
import { TokenView } from './token-view.tsx'
import { type Sent, VerdictCard } from './verdict-card.tsx'

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, gcTime: 0, structuralSharing: false } },
})

function LauncherPage({ facts }: { readonly facts: LauncherFacts }) {
  const form = useForm<Launch>({ initialValues: launchOfFragment(location.hash, facts) })
  const [typed, setTyped] = useState<TypedKeys>(() => ({ pasted: '', secret: randomSecret() }))
  const [sent, setSent] = useState<readonly Sent[]>([])
  const [preset, setPreset] = useState<string | null>(null)
  const launch = form.values
  const path = `${location.pathname}${fragmentOf(launch, facts)}`
  useEffect(() => history.replaceState(null, '', path), [path])
  useWindowEvent('hashchange', () => form.setValues(launchOfFragment(location.hash, facts)))

  const queryKey = ['signed launch', launch, typed]
  const signing = useQuery({
    queryKey,
    queryFn: () => signLaunch(launch, typed, facts),
    placeholderData: keepPreviousData,
  })
  const signed = signing.data

  /** Signs anew, so that a token never waits, and sends it: into a window, or by a direct call. */
  const sending = useMutation({
    async mutationFn(target: string | undefined) {
      setSent([])
      const fresh = await signLaunch(launch, typed, facts, true)
      queryClient.setQueryData(queryKey, fresh)
      // Of several posts of one token the form makes the last.
      const request = requestOf(launch, fresh.token)
      for (let count = target === undefined ? 0 : 1; count < launch.send.times; count++) {
        const exchange = await parseResponse(ask.launcher.call.$post({ json: request }))
        setSent(before => [...before, { id: crypto.randomUUID(), request, exchange }])
      }
      if (target !== undefined) submitForm(launch, fresh.token, target)
    },
  })

  const choosePreset = (code: string | null) => {
    const start = { ...startLaunch(facts), address: launch.address }
    form.setValues({ ...start, ...(isRefusalCode(code) ? presets[code].change(start) : {}) })
    setPreset(code)
    setSent([])
  }

  return (
    <>
      <PartnerBar title="Nordlys Launcher" subtitle="Try the partner link: edit, sign, post, and read why.">
        <Anchor href="/" c="inherit" underline="always">
          Journal
        </Anchor>
      </PartnerBar>
      <Stack component="main" className="launcher">
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
              value={preset}
              onChange={choosePreset}
              data-testid="preset"
            />
          </SimpleGrid>
        </Card>
        <SimpleGrid cols={{ base: 1, sm: 2 }} className="launcher-columns">
          <Stack>
            {/* The JSON view begins anew with each preset. */}
            <ClaimsCard key={preset} form={form} />
            <SigningCard
              form={form}
              launchKey={signed?.key}
              problem={signing.error ? sentenceOf(signing.error) : undefined}
              typed={typed}
              onType={setTyped}
              canRegister={facts.canRegister && launch.address === facts.address}
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
          onSend={sending.mutate}
        />
        {signed && (
          <Card title="Copy as code" fold="copy-as">
            <CopyAs copies={copiesOf({ launch, ...signed })} />
          </Card>
        )}
        {facts.canRegister && <RegisterCard />}
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
  const { send, address } = launch
  const form = document.createElement('form')
  const enctype = send.mediaType === 'application/json' ? 'text/plain' : send.mediaType
  Object.assign(form, { action: address + send.path, method: send.method, enctype, target })
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
